import type { AgentIssueStatus, AgentStatusEntry, AgentStatusFile } from '../protocol/agent-status.js';
import { type Paint, UNPAINTED } from './conversation.js';
import { plainLine } from './plain-text.js';
import { table } from './table.js';
import { type Timing, whenText } from './time.js';

export interface StatusView {
  readonly width: number;
  readonly timing: Timing;
  readonly paint?: Paint;
}

type Waiting = Pick<AgentIssueStatus, 'status' | 'clarificationId' | 'waitingOn' | 'respondingTo'>;

const HEAD = ['AGENT', 'STATUS', 'ISSUE', 'WHAT FOR', 'SINCE'];

/** One line for each agent and, below it, one for every other issue that it has not left. */
export function renderStatuses(file: AgentStatusFile, { width, timing, paint = UNPAINTED }: StatusView): string {
  const rows = Object.entries(file).flatMap(([agent, entry]) => [
    row(agent, entry, entry.issue, whenText(entry.lastActivity, timing)),
    ...otherIssues(entry).map(([issue, status]) => row(agent, status, issue, '')),
  ]);
  const [head = '', ...lines] = table([HEAD, ...rows], { width, hasHead: true });
  return [paint.quiet(head), ...lines.map((line) => painted(line, paint))].join('\n');
}

/** `waits for architect, CLR-42-001`; nothing for an agent that neither waits nor answers. */
export function whatFor({ status, clarificationId, waitingOn, respondingTo }: Waiting): string {
  const id = clarificationId ? `, ${plainLine(clarificationId)}` : '';
  if (status === 'blocked-clarification') return `waits for ${plainLine(waitingOn || 'an answer')}${id}`;
  if (status === 'clarifying') return `answers ${plainLine(respondingTo || 'a question')}${id}`;
  return '';
}

/** Neither idle nor done. */
export function isAtWork({ status }: Pick<Waiting, 'status'>): boolean {
  return status !== 'idle' && status !== 'done';
}

/** The issues that an agent has not left, without that of its latest activity. */
export function otherIssues(entry: AgentStatusEntry): readonly (readonly [issue: number, AgentIssueStatus])[] {
  return Object.entries(entry.issues ?? {})
    .map(([issue, status]) => [Number(issue), status] as const)
    .filter(([issue, status]) => issue !== entry.issue && isAtWork(status));
}

function row(agent: string, status: Waiting, issue: number | null, since: string): readonly string[] {
  return [plainLine(agent), status.status, issue === null ? '-' : `#${issue}`, whatFor(status) || '-', since];
}

/** After the columns are laid out, because colours have a length but no width. */
function painted(line: string, paint: Paint): string {
  return line.replace(/^(\S+)(\s+)(\S+)/, (_line, agent: string, gap: string, status: string) => {
    const tone = status === 'done' ? paint.good : status === 'stuck' ? paint.alarming : String;
    return `${paint.name(agent)}${gap}${tone(status)}`;
  });
}
