import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { AgentName, ClarificationId, IssueNumber } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/*
 * An agent is `idle` until it is assigned an issue, then `working` until it is `done` or `stuck`. A done agent works
 * again when it is assigned anew, a stuck agent when it is retried. Two statuses interrupt any other, may interrupt
 * each other, and return to the one before: `clarifying` while the agent answers another one, `blocked-clarification`
 * while it waits for an answer. `previous` holds the statuses to return to, the latest last. An interruption that ends
 * out of order is removed from there. A user may `set` idle, working, done or stuck at any time. Asking for the status
 * an agent already has changes nothing but the time.
 *
 * All this is kept per issue. The entry's own fields are the latest activity, as the seeds have them.
 */

export const AgentStatus = z.enum(['idle', 'working', 'clarifying', 'blocked-clarification', 'done', 'stuck']);
export type AgentStatus = z.infer<typeof AgentStatus>;

/** The two that follow from clarifications and return to the status before. */
export function isInterruption({ status }: { readonly status: string }): boolean {
  return status === 'clarifying' || status === 'blocked-clarification';
}

const activity = {
  status: AgentStatus,
  clarificationId: z.exactOptional(z.nullable(ClarificationId)),
  waitingOn: z.exactOptional(z.nullable(z.string())),
  respondingTo: z.exactOptional(z.nullable(z.string())),
};

const onIssue = {
  ...activity,
  /** When it last started or stopped working, whatever interrupted it since. */
  since: z.exactOptional(Timestamp),
};

const Activity = z.looseObject(onIssue);
type Activity = Shape<typeof Activity>;

export const AgentIssueStatus = z.looseObject({ ...onIssue, previous: z.exactOptional(z.array(Activity)) });
export type AgentIssueStatus = Shape<typeof AgentIssueStatus>;

const IssueKey = z.string().check(z.regex(/^(?:0|[1-9]\d{0,15})$/, 'must be an issue number'));

export const AgentStatusEntry = z.looseObject({
  ...activity,
  issue: z.nullable(IssueNumber),
  lastActivity: Timestamp,
  issues: z.exactOptional(z.record(IssueKey, AgentIssueStatus)),
});
export type AgentStatusEntry = Shape<typeof AgentStatusEntry>;

// zod drops a `__proto__` key silently; a file with such a key is an attack, and dropping the key would hide it.
const NoPrototypeKey = z.unknown().check(
  z.refine((value) => typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__'), {
    message: 'must not have the key __proto__',
  }),
);

export const AgentStatuses = z.record(AgentName, AgentStatusEntry);

export const AgentStatusFile = z.pipe(NoPrototypeKey, AgentStatuses);
export type AgentStatusFile = Shape<typeof AgentStatusFile>;

/** Changes the entries of some agents and leaves the others as they are. Returns the file that was given if none changed. */
export function changeEntries<R>(
  file: AgentStatusFile,
  agents: readonly string[],
  update: (entries: AgentStatusFile) => { readonly next: AgentStatusFile; readonly result: R },
): { readonly next: AgentStatusFile; readonly result: R } {
  const entriesIn = (from: AgentStatusFile): AgentStatusFile =>
    Object.fromEntries(Object.entries(from).filter(([agent]) => agents.includes(agent)));
  const entries = entriesIn(file);
  const { next, result } = update(entries);
  return next === entries ? { next: file, result } : { next: { ...file, ...entriesIn(next) }, result };
}

type RestStatus = 'idle' | 'working' | 'done' | 'stuck';

export type AgentStatusEvent =
  | { type: 'assign' | 'complete' | 'fail' | 'retry'; issue: number; at: string }
  | { type: 'start-clarifying'; issue: number; at: string; clarificationId: string; respondingTo: string }
  | { type: 'block'; issue: number; at: string; clarificationId: string; waitingOn: string }
  | { type: 'finish-clarifying' | 'unblock'; issue: number; at: string; clarificationId: string }
  | { type: 'set'; issue: number; at: string; status: RestStatus }
  // Without an issue only the entry's own fields change: the agent's activity on no issue in particular.
  | { type: 'set'; issue: null; at: string; status: RestStatus };

/** `previous`: back to what was interrupted. `given`: the status in the event. */
type NextStatus = AgentStatus | 'previous' | 'given';

const FROM_ANY = { 'start-clarifying': 'clarifying', block: 'blocked-clarification', set: 'given' } as const;

export const AGENT_STATUS_TRANSITIONS: Readonly<
  Record<AgentStatus, Readonly<Partial<Record<AgentStatusEvent['type'], NextStatus>>>>
> = {
  idle: { ...FROM_ANY, assign: 'working' },
  working: { ...FROM_ANY, assign: 'working', complete: 'done', fail: 'stuck' },
  clarifying: { ...FROM_ANY, 'finish-clarifying': 'previous' },
  'blocked-clarification': { ...FROM_ANY, unblock: 'previous' },
  done: { ...FROM_ANY, assign: 'working', complete: 'done' },
  stuck: { ...FROM_ANY, fail: 'stuck', retry: 'working' },
};

/** Applies an event to an agent's entry (none yet: idle) and returns the entry to write. */
export function applyStatusEvent(
  entry: AgentStatusEntry | undefined,
  event: Readonly<AgentStatusEvent>,
): AgentStatusEntry {
  if (event.issue === null) return { ...entry, ...atRest(event.status), issue: null, lastActivity: event.at };
  const { previous = [], since, ...activity } = step(statusForIssue(entry, event.issue), event);
  const forIssue = { ...activity, ...(since && { since }), ...(previous.length > 0 && { previous }) };
  const { [String(event.issue)]: _before, ...others } = entry?.issues ?? {};
  // An agent that only answered a question is idle on that issue, as on every issue it never saw: that needs no entry.
  const isAsIfNever = activity.status === 'idle' && since === undefined && previous.length === 0;
  const issues = isAsIfNever ? others : { ...others, [String(event.issue)]: forIssue };
  return { ...entry, ...activity, issue: event.issue, lastActivity: event.at, issues };
}

/** An agent's status for one issue. If the entry's own fields are about that issue, they are newer. */
export function statusForIssue(entry: AgentStatusEntry | undefined, issue: number): AgentIssueStatus {
  const issueStatus = entry?.issues?.[String(issue)];
  if (entry === undefined || entry.issue !== issue) return issueStatus ?? atRest('idle');
  const latest = {
    status: entry.status,
    clarificationId: entry.clarificationId ?? null,
    waitingOn: entry.waitingOn ?? null,
    respondingTo: entry.respondingTo ?? null,
  };
  if (issueStatus === undefined) return latest;
  // Another program that knows only the entry's own fields may have changed them: then there is nothing to return to.
  const { previous: _previous, since: _since, ...unstacked } = issueStatus;
  return issueStatus.status === entry.status ? { ...issueStatus, ...latest } : { ...unstacked, ...latest };
}

function step(current: AgentIssueStatus, event: Readonly<AgentStatusEvent>): AgentIssueStatus {
  if (event.type === 'finish-clarifying' || event.type === 'unblock') {
    return isCurrent(current, event) ? resume(current) : withoutInterruption(current, event);
  }
  if (AGENT_STATUS_TRANSITIONS[current.status][event.type] === undefined) throw illegal(current.status, event.type);
  switch (event.type) {
    case 'start-clarifying':
      return interrupt(current, event.clarificationId, { status: 'clarifying', respondingTo: event.respondingTo });
    case 'block':
      return interrupt(current, event.clarificationId, { status: 'blocked-clarification', waitingOn: event.waitingOn });
    case 'set':
      return { ...current, ...atRest(event.status), since: event.at, previous: [] };
    case 'assign':
    case 'retry':
      return { ...current, ...atRest('working'), since: event.at };
    case 'complete':
      return { ...current, ...atRest('done'), since: event.at };
    case 'fail':
      return { ...current, ...atRest('stuck'), since: event.at };
  }
}

function interrupt(
  current: AgentIssueStatus,
  clarificationId: string,
  into: Pick<Activity, 'status' | 'waitingOn' | 'respondingTo'>,
): AgentIssueStatus {
  const next = { ...atRest(into.status), clarificationId, ...into };
  const { previous = [], ...interruptedStatus } = current;
  if (current.status === into.status && current.clarificationId === clarificationId) return { ...next, previous };
  return { ...next, previous: [...previous, interruptedStatus] };
}

function resume(current: AgentIssueStatus): AgentIssueStatus {
  const previous = current.previous ?? [];
  // An entry written by the seeds' rules keeps no history; by those rules both statuses return to working.
  return { ...(previous.at(-1) ?? atRest('working')), previous: previous.slice(0, -1) };
}

type EndEvent = Extract<Readonly<AgentStatusEvent>, { type: 'finish-clarifying' | 'unblock' }>;

function isCurrent(current: Activity, event: EndEvent): boolean {
  const status = event.type === 'unblock' ? 'blocked-clarification' : 'clarifying';
  return current.status === status && (current.clarificationId ?? event.clarificationId) === event.clarificationId;
}

function withoutInterruption(current: AgentIssueStatus, event: EndEvent): AgentIssueStatus {
  const previous = current.previous ?? [];
  const index = previous.findLastIndex((interruption) => isCurrent(interruption, event));
  if (index < 0) throw illegal(current.status, event.type);
  return { ...current, previous: previous.toSpliced(index, 1) };
}

function atRest(status: AgentStatus) {
  return { status, clarificationId: null, waitingOn: null, respondingTo: null };
}

function illegal(status: AgentStatus, event: string): AgentXError {
  const allowed = Object.keys(AGENT_STATUS_TRANSITIONS[status]);
  return new AgentXError(
    'INVALID_STATE',
    `An agent that is ${status} does not take '${event}'. Allowed: ${allowed.join(', ')}.`,
    { status, event, allowed },
  );
}
