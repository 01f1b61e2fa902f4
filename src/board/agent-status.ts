import {
  type AgentIssueStatus,
  type AgentStatusEntry,
  type AgentStatusEvent,
  applyStatusEvent,
  isInterruption,
  statusForIssue,
} from '../protocol/agent-status.js';
import { AgentXError } from '../protocol/errors.js';
import { statusChanged } from '../protocol/events.js';
import { parseAgentName, parseIssueNumber } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import type { Timestamp } from '../protocol/timestamp.js';
import { changeState } from './issues.js';
import type { BoardPorts } from './ports.js';

type StatusPorts = Pick<BoardPorts, 'store' | 'clock' | 'bus'>;

const SETTABLE = ['idle', 'working', 'done', 'stuck'] as const;
type Settable = (typeof SETTABLE)[number];

export interface StatusRequest {
  readonly agent: string;
  readonly status: string;
  readonly issue?: number;
}

export interface Work {
  readonly agent: string;
  readonly issue?: number;
  /** The issue belongs to a run, which keeps its assignee itself. */
  readonly isInRun?: boolean;
}

/** Sets the status that a person says an agent has. The two statuses of clarifications belong to the hub. */
export async function setStatus(
  ports: StatusPorts,
  { agent, status, issue }: StatusRequest,
): Promise<AgentStatusEntry> {
  const settable = requireSettable(status);
  return change(ports, parseAgentName(agent), (entry, at) => applyStatusEvent(entry, setEvent(settable, issue, at)));
}

/** An agent starts on an issue and is assigned to it, so that other agents leave it alone. */
export async function startWork(ports: BoardPorts, { agent, issue, isInRun = false }: Work): Promise<AgentStatusEntry> {
  const name = parseAgentName(agent);
  const entry = await change(ports, name, (current, at) => started(current, issue, at));
  if (issue !== undefined && !isInRun) await changeIfThere(ports, issue, (current) => takenBy(current, name));
  return entry;
}

/** An agent has done its part; the issue is free for the next agent. */
export async function finishWork(
  ports: BoardPorts,
  { agent, issue, isInRun = false }: Work,
): Promise<AgentStatusEntry> {
  const name = parseAgentName(agent);
  const entry = await change(ports, name, (current, at) => finished(current, issue, at));
  if (issue !== undefined && !isInRun) await changeIfThere(ports, issue, (current) => leftBy(current, name));
  return entry;
}

/** An agent cannot go on by itself: it is stuck until a person retries or ends its part. */
export async function failWork(
  ports: StatusPorts,
  { agent, issue }: { readonly agent: string; readonly issue: number },
): Promise<AgentStatusEntry> {
  return change(ports, parseAgentName(agent), (entry, at) => {
    const { status } = statusForIssue(entry, parseIssueNumber(issue));
    if (entry !== undefined && isInterruption({ status })) return entry;
    return applyStatusEvent(entry, status === 'working' ? { type: 'fail', issue, at } : setEvent('stuck', issue, at));
  });
}

/** Its part of an issue is over though not done. If a retry is possible, an agent that failed is stuck until then. */
export async function leaveWork(
  ports: StatusPorts,
  { agent, issue, mayRetry }: { readonly agent: string; readonly issue: number; readonly mayRetry: boolean },
): Promise<AgentStatusEntry> {
  return change(ports, parseAgentName(agent), (entry, at) => {
    const { status } = statusForIssue(entry, parseIssueNumber(issue));
    return entry !== undefined && mayRetry && status === 'stuck'
      ? entry
      : applyStatusEvent(entry, setEvent('idle', issue, at));
  });
}

async function change(
  ports: StatusPorts,
  agent: string,
  next: (entry: AgentStatusEntry | undefined, at: Timestamp) => AgentStatusEntry,
): Promise<AgentStatusEntry> {
  const at = ports.clock.now();
  const { entry, isChanged } = await ports.store.statuses.update([agent], (entries) => {
    const entry = next(entries[agent], at);
    if (entry === entries[agent]) return { next: entries, result: { entry, isChanged: false } };
    return { next: { [agent]: entry }, result: { entry, isChanged: true } };
  });
  if (isChanged) ports.bus.emit('agent-status-changed', statusChanged(agent, entry, entry.lastActivity));
  return entry;
}

function setEvent(status: Settable, issue: number | undefined, at: Timestamp): AgentStatusEvent {
  if (issue === undefined) return { type: 'set', issue: null, at, status };
  return { type: 'set', issue: parseIssueNumber(issue), at, status };
}

/** While the agent waits or answers, that status stays: it ends with its clarification, and then the work goes on. */
function started(entry: AgentStatusEntry | undefined, issue: number | undefined, at: Timestamp): AgentStatusEntry {
  if (issue === undefined) return applyStatusEvent(entry, setEvent('working', issue, at));
  const { previous = [], ...current } = statusForIssue(entry, parseIssueNumber(issue));
  const { status } = current;
  if (!isInterruption(current))
    return applyStatusEvent(entry, { type: status === 'stuck' ? 'retry' : 'assign', issue, at });
  if (entry !== undefined && previous.some((one) => one.status === 'working')) return entry;
  const workingEntry = applyStatusEvent(entry, setEvent('working', issue, at));
  return [...previous, current].reduce((result, one) => interruptedBy(result, one, { issue, at }), workingEntry);
}

/** An interruption as it was. If it names no clarification, another program made it, and it follows from nothing. */
function interruptedBy(
  entry: AgentStatusEntry,
  { status, clarificationId, respondingTo, waitingOn }: AgentIssueStatus,
  on: { readonly issue: number; readonly at: Timestamp },
): AgentStatusEntry {
  if (status === 'clarifying' && clarificationId && respondingTo)
    return applyStatusEvent(entry, { type: 'start-clarifying', ...on, clarificationId, respondingTo });
  if (status === 'blocked-clarification' && clarificationId && waitingOn)
    return applyStatusEvent(entry, { type: 'block', ...on, clarificationId, waitingOn });
  return entry;
}

/** An agent that says it is done is done, even if the table would have it start first or wait for an answer. */
function finished(entry: AgentStatusEntry | undefined, issue: number | undefined, at: Timestamp): AgentStatusEntry {
  if (issue === undefined) return applyStatusEvent(entry, setEvent('done', issue, at));
  const { status } = statusForIssue(entry, parseIssueNumber(issue));
  const isAtWork = status === 'working' || status === 'done';
  return applyStatusEvent(entry, isAtWork ? { type: 'complete', issue, at } : setEvent('done', issue, at));
}

/** Hooks also serve issues that are kept elsewhere. */
async function changeIfThere(ports: BoardPorts, number: number, next: (issue: Issue) => Issue): Promise<void> {
  if ((await ports.store.issues.read(number)) !== undefined) await changeState(ports, number, next);
}

function takenBy(issue: Issue, agent: string): Issue {
  if (issue.state === 'closed' || issue.taskStatus !== 'open') return issue;
  return { ...issue, taskStatus: 'in_progress', status: 'In Progress', assignee: agent };
}

function leftBy(issue: Issue, agent: string): Issue {
  if (issue.taskStatus !== 'in_progress' || issue.assignee !== agent) return issue;
  return { ...issue, taskStatus: 'open', assignee: null };
}

function requireSettable(status: string): Settable {
  const settable = SETTABLE.find((allowed) => allowed === status);
  if (settable !== undefined) return settable;
  throw new AgentXError(
    'INVALID_INPUT',
    `Status '${status}' cannot be set${isInterruption({ status }) ? ': it follows from the clarifications' : ''}. ` +
      `Allowed: ${SETTABLE.join(', ')}.`,
    { status, allowed: SETTABLE },
  );
}
