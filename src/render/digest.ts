import { type Digest, type DigestTarget, isQuiet } from '../protocol/digest.js';
import { bar, meter } from './bar.js';
import { columnsOf, cutTo, padTo } from './columns.js';
import { type Paint, UNPAINTED } from './conversation.js';
import { adviceOf, plural, timesText, valueText, verdictOf, weekText } from './digest-values.js';
import { plainLine } from './plain-text.js';
import { usageText } from './usage.js';
import { wrapLine } from './wrap-line.js';

export interface DigestView {
  readonly width: number;
  readonly paint?: Paint;
  /** Whether the week is over. If not, the figures are those so far. */
  readonly isOver?: boolean;
  /** False for a week to come, in which there are no figures yet. */
  readonly isBegun?: boolean;
}

const MOST = 5;
const BAR = 24;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A week at a glance, in figures and bars. */
export function renderDigest(
  digest: Digest,
  { width, paint = UNPAINTED, isOver = true, isBegun = true }: DigestView,
): string {
  const view = { width, paint };
  const standing = isOver ? '' : isBegun ? ', so far' : ', not begun yet';
  const title = `${paint.name(digest.week)}  ${paint.quiet(`${weekText(digest)}${standing}`)}`;
  if (isQuiet(digest) && !isBegun) return title;
  if (isQuiet(digest)) return [title, 'Nothing was asked, answered or reviewed in this week.'].join('\n');
  return [
    [title, ...wrapLine(totalsText(digest), width), ...weekBefore(digest, view)].join('\n'),
    days(digest),
    section('Targets', targets(digest.targets, view), view),
    section('Asked about', topics(digest, view), view),
    section('Who asks', agents(digest, view), view),
    section('Time to answer', wrapped(times(digest), view), view),
    section('People and reviews', wrapped(people(digest), view), view),
    advice(digest, view),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function totalsText({ totals }: Pick<Digest, 'totals'>): string {
  const { clarifications, resolved, escalated, abandoned, rounds, remembered } = totals;
  const abandonedText = abandoned > 0 ? `, ${abandoned} abandoned` : '';
  const countText = plural(clarifications, 'clarification');
  return `${countText} asked, ${resolved} resolved, ${escalated} escalated${abandonedText}, ${plural(rounds, 'round')} answered${remembered > 0 ? `, ${remembered} from memory` : ''}`;
}

type View = Required<Pick<DigestView, 'width' | 'paint'>>;

function weekBefore({ before: { week, totals } }: Digest, { width, paint }: View): readonly string[] {
  if (Object.values(totals).every((count) => count === 0)) return [];
  return wrapLine(`${week}: ${totalsText({ totals })}`, width).map((line) => paint.quiet(line));
}

function section(title: string, lines: readonly string[], { paint }: View): string {
  return lines.length === 0 ? '' : [paint.name(title), ...lines.map((line) => `  ${line}`)].join('\n');
}

function wrapped(lines: readonly string[], { width }: View): readonly string[] {
  return lines.flatMap((line) => wrapLine(line, width - 2));
}

function days({ days: all }: Digest): string {
  const most = Math.max(...all.map(({ asked }) => asked));
  if (most === 0) return '';
  return all
    .map(({ asked }, index) => `  ${WEEKDAYS[index]}  ${bar(asked, most, BAR).padEnd(BAR)}  ${asked || ''}`.trimEnd())
    .join('\n');
}

function targets(all: readonly DigestTarget[], { width, paint }: View): readonly string[] {
  const figuresWidth = 26;
  const labels = Math.min(width - figuresWidth, Math.max(...all.map(({ label }) => label.length)));
  const hasPast = width >= labels + figuresWidth + 11;
  const hasPicture = width >= labels + figuresWidth + 25;
  return all.map((target) => {
    const { label, unit, value, before } = target;
    const verdict = verdictOf(target);
    const tone = { met: paint.good, missed: paint.alarming, '-': paint.quiet }[verdict];
    const picture = unit === 'share' && value !== null ? meter(value, 10) : '';
    const was = before === null || !hasPast ? '' : paint.quiet(`  was ${valueText(before, unit)}`);
    const figures = `${valueText(value, unit).padStart(6)}  ${target.target.padEnd(6)}${was}`.trimEnd();
    return `${tone(verdict.padEnd(6))}  ${cutTo(label, labels).padEnd(labels)}  ${hasPicture ? `${picture.padEnd(12)}  ` : ''}${figures}`;
  });
}

function topics({ topics: all }: Digest, { width }: View): readonly string[] {
  const most = all[0]?.count ?? 0;
  const rows = all.slice(0, MOST).map(({ topic, count }) => {
    const head = `${bar(count, most, BAR / 2).padEnd(BAR / 2)}  ${String(count).padStart(2)}  `;
    return `${head}${cutTo(plainLine(topic), Math.max(10, width - head.length - 2))}`;
  });
  return all.length > MOST ? [...rows, `${plural(all.length - MOST, 'topic')} more`] : rows;
}

function agents({ agents: all }: Digest, { width }: View): readonly string[] {
  const asking = all.filter(({ asked }) => asked > 0).slice(0, MOST);
  const most = asking[0]?.asked ?? 0;
  const names = Math.max(0, ...asking.map(({ agent }) => columnsOf(plainLine(agent))));
  return asking.map(({ agent, asked, answered, escalated }) => {
    const notes = [
      ...(escalated > 0 ? [`${escalated} escalated`] : []),
      ...(answered > 0 ? [`answers ${answered}`] : []),
    ];
    const line = `${bar(asked, most, BAR / 2).padEnd(BAR / 2)}  ${String(asked).padStart(2)}  ${padTo(plainLine(agent), names)}`;
    return cutTo(`${line}  ${notes.join(', ')}`.trimEnd(), width - 2);
  });
}

function times({ timeToAnswer: { agents: byAgents, humans } }: Digest): readonly string[] {
  return [
    ...(byAgents.count > 0 ? [`agents  ${timesText(byAgents)}`] : []),
    ...(humans.count > 0 ? [`people  ${timesText(humans)}`] : []),
  ];
}

function people({ questions, assumptions, reviews, rework, models }: Digest): readonly string[] {
  const { asked, answered, fallbackApplied, otherwiseEnded } = questions;
  const other = otherwiseEnded > 0 ? `, ${otherwiseEnded} otherwise ended` : '';
  const { made, confirmed, rejected } = assumptions;
  return [
    ...(asked + answered + fallbackApplied + otherwiseEnded > 0
      ? [`${plural(asked, 'question')} to humans, ${answered} answered, ${fallbackApplied} by fallback${other}`]
      : []),
    ...(made + confirmed + rejected > 0
      ? [`${plural(made, 'assumption')} made, ${confirmed} confirmed, ${rejected} rejected`]
      : []),
    ...(reviews.total > 0
      ? [
          `${plural(reviews.total, 'review')}, ${reviews.rejected} rejected, ${reviews.misunderstood} for misunderstanding`,
        ]
      : []),
    ...(rework.cycles > 0 ? [`${plural(rework.cycles, 'rework cycle')} on ${plural(rework.issues, 'issue')}`] : []),
    ...(models === undefined ? [] : [`models: ${usageText(models)}, ${plural(models.calls, 'call')}`]),
  ];
}

function advice(digest: Digest, { width, paint }: View): string {
  const often = adviceOf(digest);
  if (often === undefined) return '';
  const text = `"${plainLine(often.topic)}" was asked about ${often.count} times: say it in the template that leaves it open.`;
  return wrapLine(text, width)
    .map((line) => paint.quiet(line))
    .join('\n');
}
