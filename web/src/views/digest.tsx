import type { DigestDay, DigestTarget } from '../../../src/protocol/digest.js';
import type { State } from '../state.js';

/** The week: figures with their targets, and how asking went day by day. */
export function DigestView({ state: { digest } }: { readonly state: State }) {
  if (digest === undefined) return <p class="quiet boot">Counting the week.</p>;
  const { week, totals, topics, agents, days, targets } = digest;
  return (
    <div class="digest">
      <h2>Week {week}</h2>
      <p class="quiet">
        {totals.clarifications} asked, {totals.resolved} resolved, {totals.escalated} escalated.
      </p>
      <div class="figures">
        {targets.map((target) => (
          <Figure key={target.id} target={target} />
        ))}
      </div>
      <h3>Asked per day</h3>
      <Days days={days} />
      <div class="columns">
        <Bars title="Topics" rows={topics.map(({ topic, count }) => [topic, count])} />
        <Bars title="Who asks most" rows={agents.map(({ agent, asked }) => [agent, asked])} />
      </div>
    </div>
  );
}

function Figure({ target: { label, value, target, unit, isMet, before } }: { readonly target: DigestTarget }) {
  const shown = (figure: number | null) => {
    if (figure === null) return 'no data';
    return unit === 'share' ? `${Math.round(figure * 100)} %` : String(Math.round(figure * 10) / 10);
  };
  return (
    <div class={isMet === false ? 'figure missed' : 'figure'}>
      <span class="quiet">{label}</span>
      <strong>{shown(value)}</strong>
      <span class="quiet">
        target {target}
        {isMet === null ? '' : isMet ? ', met' : ', missed'}; before {shown(before)}
      </span>
    </div>
  );
}

const CHART = { width: 560, height: 140, foot: 20 };

function Days({ days }: { readonly days: readonly DigestDay[] }) {
  const most = Math.max(1, ...days.map(({ asked }) => asked));
  const width = CHART.width / Math.max(1, days.length);
  const scale = (count: number) => (count / most) * (CHART.height - CHART.foot - 16);
  const description = days.map(({ date, asked, escalated }) => `${date}: ${asked} asked, ${escalated} escalated`);
  return (
    <svg class="graph" viewBox={`0 0 ${CHART.width} ${CHART.height}`} role="img" aria-label={description.join('; ')}>
      {days.map(({ date, asked, escalated }, index) => (
        <g key={date} transform={`translate(${index * width} 0)`}>
          <Bar class="bar" width={width} height={scale(asked)} />
          <Bar class="bar escalated" width={width} height={scale(escalated)} />
          <text x={width / 2} y={CHART.height - CHART.foot - scale(asked) - 4} text-anchor="middle">
            {asked}
          </text>
          <text x={width / 2} y={CHART.height - 4} text-anchor="middle">
            {date.slice(5)}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Bar(bar: { readonly class: string; readonly width: number; readonly height: number }) {
  return (
    <rect
      class={bar.class}
      x={bar.width * 0.2}
      y={CHART.height - CHART.foot - bar.height}
      width={bar.width * 0.6}
      height={bar.height}
    />
  );
}

interface BarsProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, count: number])[];
}

function Bars({ title, rows }: BarsProps) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 ? <p class="quiet">Nothing this week.</p> : null}
      <table class="wide">
        <tbody>
          {rows.slice(0, 10).map(([name, count]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{count}</td>
              <td>
                <meter min={0} max={most} value={count} aria-label={`${name}: ${count}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
