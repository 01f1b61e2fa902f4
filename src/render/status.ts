import type { AgentStanding, AgentStandingEntry, AgentStandings } from '../protocol/agent-standing.js';
import { type Paint, UNPAINTED } from './conversation.js';
import { plainLine } from './plain-text.js';
import { table, tableWidth } from './table.js';
import { ageText, type Timing, whenText } from './time.js';

export interface StatusView {
  readonly width: number;
  readonly timing: Timing;
  readonly paint?: Paint;
}

type Waiting = Pick<AgentStanding, 'status' | 'clarificationId' | 'waitingOn' | 'respondingTo' | 'questionId' | 'goOn'>;

const HEAD = ['AGENT', 'STATUS', 'ISSUE', 'WHAT FOR', 'SINCE'];

/** From the most words to the fewest. A short wording leaves out only what the rest of the line says too. */
const WORDINGS: readonly Wording[] = [
  { since: whenText, whatFor, statusOf: ({ status }) => status },
  { since: ageText, whatFor, statusOf: ({ status }) => status },
  { since: ageText, whatFor: withWhom, statusOf: ({ status }) => status },
  { since: ageText, whatFor: withWhom, statusOf: ({ status }) => status.replace('-clarification', '') },
];

interface Wording {
  readonly since: typeof whenText;
  readonly whatFor: (waiting: Waiting) => string;
  readonly statusOf: (waiting: Waiting) => string;
}

/** One line for each agent and, below it, one for every other issue that the agent still works on. */
export function renderStatuses(file: AgentStandings, { width, timing, paint = UNPAINTED }: StatusView): string {
  let rows: readonly (readonly string[])[] = [];
  for (const wording of WORDINGS) {
    rows = [HEAD, ...rowsOf(file, timing, wording)];
    if (tableWidth(rows) <= width) break;
  }
  const [head = '', ...lines] = table(rows, { width, hasHead: true });
  return [paint.quiet(head), ...lines.map((line) => painted(line, paint))].join('\n');
}

function rowsOf(file: AgentStandings, timing: Timing, wording: Wording): readonly (readonly string[])[] {
  return Object.entries(file).flatMap(([agent, entry]) => [
    row(agent, entry, { issue: entry.issue, since: wording.since(entry.lastActivity, timing), wording }),
    ...otherIssues(entry).map(([issue, status]) => row(agent, status, { issue, since: '', wording })),
  ]);
}

/** `waits for architect, CLR-42-001`; empty for an agent that neither waits nor answers nor was interrupted. */
export function whatFor({ status, clarificationId, waitingOn, respondingTo, questionId, goOn }: Waiting): string {
  const id = clarificationId ? `, ${plainLine(clarificationId)}` : '';
  if (questionId !== undefined) return `waits for you, ${questionId}`;
  if (goOn !== undefined) return `go on: ${goOn}`;
  if (status === 'blocked-clarification') return `waits for ${whom(waitingOn)}${id}`;
  if (status === 'clarifying') return `answers ${plainLine(respondingTo || 'a question')}${id}`;
  return '';
}

function whom(waitingOn: Waiting['waitingOn']): string {
  return waitingOn === 'human' ? 'you' : plainLine(waitingOn || 'an answer');
}

/** Neither idle nor done. */
export function isAtWork({ status }: Pick<Waiting, 'status'>): boolean {
  return status !== 'idle' && status !== 'done';
}

/** The issues that an agent still works on, except that of its latest activity. */
export function otherIssues(entry: AgentStandingEntry): readonly (readonly [issue: number, AgentStanding])[] {
  return Object.entries(entry.issues ?? {})
    .map(([issue, status]) => [Number(issue), status] as const)
    .filter(([issue, status]) => issue !== entry.issue && isAtWork(status));
}

function row(
  agent: string,
  status: Waiting,
  { issue, since, wording }: { readonly issue: number | null; readonly since: string; readonly wording: Wording },
): readonly string[] {
  const place = issue === null ? '-' : `#${issue}`;
  return [plainLine(agent), wording.statusOf(status), place, wording.whatFor(status) || '-', since];
}

/** `architect, CLR-42-001`; the status already says whether it waits or answers. */
function withWhom(waiting: Waiting): string {
  return whatFor(waiting).replace(/^(?:waits for|answers) /, '');
}

/** Painted after the columns are laid out, because colour codes have a length but no width. */
function painted(line: string, paint: Paint): string {
  return line.replace(/^(\S+)(\s+)(\S+)/, (_line, agent: string, gap: string, status: string) => {
    const tones: Readonly<Record<string, (text: string) => string>> = {
      done: paint.good,
      stuck: paint.alarming,
      interrupted: paint.alarming,
    };
    return `${paint.name(agent)}${gap}${(tones[status] ?? String)(status)}`;
  });
}
