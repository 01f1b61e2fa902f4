import { dependenciesOf, type Issue, type IssueComment, priorityOf, typeOf } from '../protocol/issue.js';
import { type Paint, UNPAINTED, under } from './conversation.js';
import { plainLine, plainText } from './plain-text.js';
import type { StatusView } from './status.js';
import { table } from './table.js';
import { labelled } from './thread.js';
import { type Timing, whenText } from './time.js';

/** `#42 Health endpoint` */
export function issueTitle(issue: Pick<Issue, 'number' | 'title'>, paint: Paint = UNPAINTED): string {
  return `${paint.quiet(`#${issue.number}`)} ${paint.name(plainLine(issue.title))}`;
}

export function renderIssueList(
  issues: readonly Issue[],
  { width, paint = UNPAINTED }: Omit<StatusView, 'timing'>,
): string {
  const rows = issues.map((issue) => [
    `#${issue.number}`,
    `P${priorityOf(issue) ?? '-'}`,
    typeOf(issue),
    issue.state === 'closed' ? 'closed' : plainLine(issue.status),
    plainLine(issue.title),
  ]);
  const lines = table(rows, { width, flexible: 4 });
  return lines.map((line) => line.replace(/^#\d+/, (number) => paint.quiet(number))).join('\n');
}

/** Everything about one issue, for reading. */
export function renderIssue(issue: Issue, view: StatusView): string {
  const { paint = UNPAINTED, width } = view;
  const facts = factsOf(issue, view.timing).filter(([, value]) => value !== '');
  const lines = facts.map(([name, value]) =>
    labelled(`  ${name.padEnd(8)}  `, value, width).replace(name, () => paint.quiet(name)),
  );
  const title = under(
    { label: `#${issue.number} `, paint: paint.quiet, tone: paint.name },
    plainLine(issue.title),
    width,
  );
  const body = issue.body.trim() === '' ? [] : ['', indented(issue.body, width)];
  const comments = issue.comments.flatMap((comment) => ['', renderComment(comment, view)]);
  return [title, ...lines, ...body, ...comments].join('\n');
}

function factsOf(issue: Issue, timing: Timing): readonly (readonly [name: string, value: string])[] {
  const { blockedBy } = dependenciesOf(issue);
  const priority = priorityOf(issue);
  return [
    ['type', typeOf(issue)],
    ['priority', priority === undefined ? '' : `P${priority}`],
    ['status', issue.state === 'closed' ? 'closed' : `open, ${plainLine(issue.status)}`],
    ['task', `${issue.taskStatus}${issue.block_reason ? `: ${plainLine(issue.block_reason)}` : ''}`],
    ['assignee', plainLine(issue.assignee ?? '')],
    ['labels', issue.labels.map(plainLine).join(', ')],
    ['needs', blockedBy.map((number) => `#${number}`).join(', ')],
    ['created', whenText(issue.created, timing)],
    ['updated', issue.updated === issue.created ? '' : whenText(issue.updated, timing)],
  ];
}

function renderComment({ author, body, created }: IssueComment, view: StatusView): string {
  const { timing, width, paint = UNPAINTED } = view;
  const label = `[${author === undefined ? 'comment' : plainLine(author)}] `;
  const head = under({ label, paint: paint.name, tone: paint.quiet }, whenText(created, timing), width);
  return `${head}\n${indented(body, width)}`;
}

function indented(text: string, width: number): string {
  return labelled('  ', plainText(text).trim(), width);
}
