import type { Digest, DigestDay, DigestTarget } from '../../../src/protocol/digest.js';
import { weekText } from '../../../src/render/digest-values.js';
import { usageText } from '../../../src/render/usage.js';
import { DaysChart, Sparkline } from '../parts/charts.js';
import { Link } from '../parts/link.js';
import { Reading } from '../parts/reading.js';
import { Line } from '../parts/text.js';
import { serverNow } from '../server-clock.js';
import type { State } from '../state.js';

/** The week: figures with their targets and sources, and how asking went over time. */
export function DigestView({ state }: { readonly state: State }) {
  const { weeks } = state;
  const [latest] = weeks ?? [];
  if (weeks === undefined || latest === undefined) return <Reading what="the weeks" state={state} />;
  const { week, totals, topics, agents, targets, before, models } = latest;
  const isOver = Date.parse(latest.to) <= serverNow();
  const isBegun = Date.parse(latest.from) <= serverNow();
  const oldestFirst = weeks.toReversed();
  return (
    <div class="view">
      <h2 tabIndex={-1}>
        Week {week}
        {isOver ? '' : isBegun ? ', so far' : ', not begun yet'} <span class="quiet">{weekText(latest)}</span>
      </h2>
      <p class="weeks">
        <Link to={{ view: 'digest', id: before.week }}>The week before</Link>
        {state.week === undefined ? null : <Link to={{ view: 'digest' }}>This week</Link>}
      </p>
      <p class="quiet">
        {weeks.every((one) => one.totals.clarifications === 0)
          ? `No agent has asked another one in the last ${weeks.length} weeks. The figures begin with the first question.`
          : `${totals.clarifications} asked, ${totals.resolved} resolved, ${totals.escalated} escalated${isOver ? '' : ' so far'}. The lines show ${weeks.length} weeks.`}
      </p>
      {models === undefined ? null : (
        <p class="quiet">
          Agents on models: {usageText(models)}, {models.calls} calls.
        </p>
      )}
      <div class="figures">
        {targets.map((target) => (
          <Figure key={target.id} target={target} weeks={oldestFirst} isOver={isOver} />
        ))}
      </div>
      <h3>Asked per day</h3>
      <DaysChart days={oldestFirst.flatMap((one): readonly DigestDay[] => one.days)} />
      <div class="columns two">
        <Bars title="Topics" rows={topics.map(({ topic, count }) => [topic, count])} />
        <Bars
          title="Who asks most"
          rows={agents.flatMap(({ agent, asked }) => (asked === 0 ? [] : [[agent, asked]]))}
        />
      </div>
    </div>
  );
}

interface FigureProps {
  readonly target: DigestTarget;
  readonly weeks: readonly Digest[];
  readonly isOver: boolean;
}

function Figure({ target, weeks, isOver }: FigureProps) {
  const { id, label, value, unit, isMet } = target;
  const series = weeks.map(({ week, targets }) => ({
    week,
    value: targets.find((one) => one.id === id)?.value ?? null,
  }));
  const shown = (figure: number | null) => {
    if (figure === null) return 'no data';
    return unit === 'share' ? `${Math.round(figure * 100)} %` : String(Math.round(figure * 100) / 100);
  };
  return (
    <div class="figure">
      <span class="figure-name">{label}</span>
      <strong>{shown(value)}</strong>
      <Sparkline
        values={series.map((point) => point.value)}
        description={`${label}: ${series.map((point) => `${point.week} ${shown(point.value)}`).join(', ')}`}
      />
      <span class={isMet === false ? 'missed' : isMet ? 'met' : 'quiet'}>
        target {target.target}
        {isMet === null ? '' : isMet ? ', met' : ', missed'}
        {isMet === null || isOver ? '' : ' so far'}
      </span>
    </div>
  );
}

interface BarsProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, count: number])[];
}

function Bars({ title, rows }: BarsProps) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {rows.length === 0 ? <p class="quiet">Nothing this week.</p> : null}
      <ul class="bars">
        {rows.slice(0, 10).map(([name, count]) => (
          <li key={name}>
            <Line class="cut">{name}</Line>
            <span class="number">{count}</span>
            <span class="track" aria-hidden="true">
              <span style={{ width: `${(count / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
