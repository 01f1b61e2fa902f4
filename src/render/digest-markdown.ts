import { type Digest, isQuiet } from '../protocol/digest.js';
import { adviceOf, plural, timesText, valueText, verdictOf, weekText } from './digest-values.js';
import { plainLine } from './plain-text.js';

type Rows = readonly (readonly (string | number)[])[];

/** The file of a week. It does not say when it was made, so that the same records always make the same file. */
export function digestMarkdown(digest: Digest): string {
  const head = [`# Digest ${digest.week}`, `${weekText(digest)}, UTC.`];
  const skippedLine = digest.skipped > 0 ? [`Not counted, because damaged: ${digest.skipped} of the files.`] : [];
  const body = isQuiet(digest) ? ['Nothing was asked, answered or reviewed in this week.'] : partsOf(digest);
  return `${[...head, ...body, ...skippedLine].filter((part) => part !== '').join('\n\n')}\n`;
}

function partsOf(digest: Digest): readonly string[] {
  const { totals, before, questions, assumptions, reviews, rework, timeToAnswer } = digest;
  const columns = ['clarifications', 'resolved', 'escalated', 'abandoned', 'rounds', 'stale', 'deadlocks'] as const;
  return [
    table(
      ['week', ...columns],
      [
        [digest.week, ...columns.map((key) => totals[key])],
        [before.week, ...columns.map((key) => before.totals[key])],
      ],
    ),
    totals.remembered > 0 ? `Answered from memory, without asking anyone: ${totals.remembered}.` : '',
    '## Targets',
    table(
      ['measure', 'value', 'target', '', before.week],
      digest.targets.map((target) => [
        target.label,
        valueText(target.value, target.unit),
        target.target,
        verdictOf(target),
        valueText(target.before, target.unit),
      ]),
    ),
    ...listed('## Topics', ['topic', 'asked', 'clarifications'], topicRows(digest)),
    moreTopics(digest),
    advice(digest),
    ...listed('## Agents', ['agent', 'asked', 'escalated', 'answered'], agentRows(digest)),
    '## Time to answer',
    `- Agents: ${timesText(timeToAnswer.agents)}\n- People: ${timesText(timeToAnswer.humans)}`,
    '## People and reviews',
    [
      `- Questions to humans: ${questions.asked} asked, ${questions.answered} answered, ` +
        `${questions.fallbackApplied} by fallback, ${questions.otherwiseEnded} otherwise ended`,
      `- Assumptions: ${assumptions.made} made, ${assumptions.confirmed} confirmed, ${assumptions.rejected} rejected`,
      `- Reviews: ${reviews.total}, of which ${reviews.rejected} rejected, ${reviews.misunderstood} for misunderstanding`,
      `- Rework: ${rework.cycles} cycles on ${rework.issues} issues`,
    ].join('\n'),
    '## Days',
    table(
      ['day', 'asked', 'resolved', 'escalated'],
      digest.days.map(({ date, asked, resolved, escalated }) => [date, asked, resolved, escalated]),
    ),
  ];
}

const MOST_TOPICS = 20;
const MOST_IDS = 10;

function topicRows({ topics }: Digest): Rows {
  return topics.slice(0, MOST_TOPICS).map(({ topic, count, clarifications }) => {
    const more = clarifications.length - MOST_IDS;
    const ids = clarifications.slice(0, MOST_IDS).join(', ');
    return [escaped(topic), count, more > 0 ? `${ids} and ${more} more` : ids];
  });
}

function moreTopics({ topics }: Digest): string {
  const more = topics.length - MOST_TOPICS;
  return more > 0 ? `And ${plural(more, 'topic')} more.` : '';
}

function agentRows({ agents }: Digest): Rows {
  return agents.map(({ agent, asked, escalated, answered }) => [escaped(agent), asked, escalated, answered]);
}

function advice(digest: Digest): string {
  const often = adviceOf(digest);
  if (often === undefined) return '';
  return `${escaped(often.topic)} was asked about ${often.count} times: say it in the template that leaves it open.`;
}

function listed(title: string, head: readonly string[], rows: Rows): readonly string[] {
  return rows.length === 0 ? [] : [title, table(head, rows)];
}

function table(head: readonly string[], rows: Rows): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Keeps agents' text plain: it can break no table and adds no markup and no HTML. */
function escaped(text: string): string {
  return plainLine(text).replace(/[\\`*_{}[\]<>|#~!&]/g, (mark) => `\\${mark}`);
}
