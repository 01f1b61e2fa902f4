import {
  type AgentIssueStatus,
  type AgentStatusEntry,
  type AgentStatusFile,
  applyStatusEvent,
  isInterruption,
  statusForIssue,
} from '../protocol/agent-status.js';
import { type ClarificationRecord, lastQuestion } from '../protocol/clarification.js';
import { statusChanged } from '../protocol/events.js';
import { HUMAN } from '../protocol/ids.js';
import { isBefore, toEpochMs } from '../protocol/timestamp.js';
import type { BasePorts } from './ports.js';
import type { Wait } from './wait-graph.js';

/*
 * The two interrupting statuses are derived from the ledger: a blocking record that is pending, stale or escalated
 * blocks its requester, a pending or stale one keeps its target clarifying. What they interrupt belongs to the agent.
 * Reconciling after every change and reconciling once after a crash therefore end in the same file.
 */

/** What the ledger says of an agent: it waits for another one, or responds to the one that asked. */
type Interruption = { readonly clarificationId: string; readonly sinceMs: number } & (
  | { readonly status: 'blocked-clarification'; readonly waitingOn: string }
  | { readonly status: 'clarifying'; readonly respondingTo: string }
);

const MAX_PASSES = 20;

export interface IssueRecords {
  readonly issueNumber: number;
  readonly records: readonly ClarificationRecord[];
  readonly at: string;
  /** Those whose entries are to be changed; without it, all that are shown wrongly. */
  readonly agents?: readonly string[];
}

/**
 * Brings the status file in line with the ledger of one issue. No process holds both at once, so the ledger is read
 * again after every write: the process that wrote last has seen the newest ledger. Passes are few and bounded; if
 * another program keeps changing the file, the next sweep corrects it.
 */
export async function refreshStatuses(ports: BasePorts, issueNumber: number): Promise<void> {
  let shownRecords: readonly ClarificationRecord[] | undefined;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const { clarifications: records } = await ports.store.ledgers.read(issueNumber);
    if (records === shownRecords) return;
    const issueRecords = { issueNumber, records, at: ports.clock.now() };
    const agents = wronglyShown(await ports.store.statuses.read(), issueRecords);
    if (agents.length === 0) return;
    const { before, after } = await ports.store.statuses.update(agents, (before) => {
      const after = reconcileStatuses(before, { ...issueRecords, agents });
      return { next: after, result: { before, after } };
    });
    announce(ports, issueRecords, { before, after });
    shownRecords = records;
  }
}

/** Pure: the agents whose entries do not follow from the records. Many that ask at once come here before the first writes. */
export function wronglyShown(file: AgentStatusFile, issueRecords: IssueRecords): readonly string[] {
  const involvedAgents = issueRecords.records.filter(mayInterrupt).flatMap(({ from, to }) => [from, to]);
  return [...new Set([...Object.keys(file), ...involvedAgents])].filter((agent) => {
    const { ended, started } = difference(agent, file[agent], issueRecords);
    return ended.length > 0 || started.length > 0;
  });
}

/** Pure. Returns the same file if nothing is to be changed. */
export function reconcileStatuses(file: AgentStatusFile, issueRecords: IssueRecords): AgentStatusFile {
  const agents = issueRecords.agents ?? wronglyShown(file, issueRecords);
  let reconciledFile = file;
  for (const agent of agents) {
    const once = reconcileEntry(agent, file[agent], issueRecords);
    // An agent that is interrupted is no longer at rest, so that what it had moved on from may count again: twice is
    // enough.
    const entry = once === file[agent] ? once : reconcileEntry(agent, once, issueRecords);
    if (entry !== undefined && entry !== file[agent]) reconciledFile = { ...reconciledFile, [agent]: entry };
  }
  return reconciledFile;
}

/** Whether an agent's status may follow from a record; in a long ledger few do. */
export function mayInterrupt({ status }: ClarificationRecord): boolean {
  return status === 'pending' || status === 'stale' || status === 'escalated';
}

/** The issues on which some agent waits or answers according to the file: only there can such a status be wrong. */
export function interruptedIssues(file: AgentStatusFile): ReadonlySet<number> {
  const issueNumbers = new Set<number>();
  for (const entry of Object.values(file)) {
    if (isInterruption(entry)) issueNumbers.add(entry.issue ?? 0);
    for (const [issue, status] of Object.entries(entry.issues ?? {})) {
      if (isInterruption(status) || status.previous?.some(isInterruption)) issueNumbers.add(Number(issue));
    }
  }
  return issueNumbers;
}

/** Which agent waits for which other according to the file, on any issue. */
export function waitsShown(file: AgentStatusFile): readonly Wait[] {
  return Object.entries(file).flatMap(([from, entry]) => {
    const onIssues = Object.values(entry.issues ?? {}).flatMap((status) => [status, ...(status.previous ?? [])]);
    const waitingStatuses = [entry, ...onIssues].filter(({ status }) => status === 'blocked-clarification');
    return waitingStatuses.flatMap(({ waitingOn }) => (waitingOn == null ? [] : [{ from, to: waitingOn }]));
  });
}

/** Whether a requester stopped working on the issue after it asked: it no longer waits, whatever its record says. */
export function hasMovedOn(
  entry: AgentStatusEntry | undefined,
  issueNumber: number,
  record: ClarificationRecord,
): boolean {
  if (entry === undefined || entry.issue !== issueNumber) return false;
  const { status } = statusForIssue(entry, issueNumber);
  return (status === 'done' || status === 'idle') && isBefore(lastQuestion(record).timestamp, entry.lastActivity);
}

function reconcileEntry(
  agent: string,
  entry: AgentStatusEntry | undefined,
  issueRecords: IssueRecords,
): AgentStatusEntry | undefined {
  const { issueNumber: issue, at } = issueRecords;
  const { ended, started } = difference(agent, entry, issueRecords);
  const restedEntry = ended.reduce((current, status) => applyStatusEvent(current, endOf(status, issue, at)), entry);
  return started.reduce((current, one) => applyStatusEvent(current, startOf(one, issue, at)), restedEntry);
}

/** The interruptions that are to end, the latest first, and those that are to begin. */
interface Difference {
  readonly ended: readonly Activity[];
  readonly started: readonly Interruption[];
}

/** The last comparison of each entry: many that ask at once compare the same entries with the same records. */
const comparisons = new WeakMap<AgentStatusEntry, Compared>();

interface Compared extends Pick<IssueRecords, 'issueNumber' | 'records'> {
  readonly agent: string;
  readonly result: Difference;
}

function difference(agent: string, entry: AgentStatusEntry | undefined, issueRecords: IssueRecords): Difference {
  if (entry === undefined) return compare(agent, entry, issueRecords);
  const { issueNumber, records } = issueRecords;
  const last = comparisons.get(entry);
  const isSame = last?.records === records && last.issueNumber === issueNumber && last.agent === agent;
  if (isSame) return last.result;
  const result = compare(agent, entry, issueRecords);
  comparisons.set(entry, { agent, issueNumber, records, result });
  return result;
}

function compare(
  agent: string,
  entry: AgentStatusEntry | undefined,
  { issueNumber: issue, records }: IssueRecords,
): Difference {
  const wantedInterruptions = records
    .filter(mayInterrupt)
    .filter((record) => record.from !== agent || record.status !== 'pending' || !hasMovedOn(entry, issue, record))
    .flatMap((record) => interruptionsBy(record, agent))
    .toSorted((left, right) => left.sinceMs - right.sinceMs);
  const current = statusForIssue(entry, issue);
  const presentInterruptions = [...(current.previous ?? []), current].filter(isInterruption);
  const keys = wantedInterruptions.map(keyOf);
  const rightInterruptions = isInterruption(current)
    ? presentInterruptions.filter((one) => keys.includes(keyOf(one)))
    : [];
  // What is right stays if it stands in the right order; what is missing follows it.
  const keptInterruptions = new Set(
    rightInterruptions.every((one, index) => keyOf(one) === keys[index]) ? rightInterruptions : [],
  );
  return {
    ended: presentInterruptions.filter((one) => !keptInterruptions.has(one)).toReversed(),
    started: wantedInterruptions.slice(keptInterruptions.size),
  };
}

function interruptionsBy(record: ClarificationRecord, agent: string): readonly Interruption[] {
  const { id: clarificationId, from, to, status, blocking } = record;
  const sinceMs = toEpochMs(lastQuestion(record).timestamp);
  const isAsked = status === 'pending' || status === 'stale';
  if (agent === from && blocking && (isAsked || status === 'escalated')) {
    return [{ status: 'blocked-clarification', clarificationId, waitingOn: isAsked ? to : HUMAN, sinceMs }];
  }
  return agent === to && isAsked ? [{ status: 'clarifying', clarificationId, respondingTo: from, sinceMs }] : [];
}

type Activity = Omit<AgentIssueStatus, 'previous'>;

/** The same interruption has the same key, wherever it is from. */
function keyOf(one: Pick<Activity, 'status' | 'clarificationId' | 'waitingOn' | 'respondingTo'>): string {
  const { status, clarificationId, waitingOn, respondingTo } = one;
  return `${status} ${clarificationId} ${status === 'clarifying' ? respondingTo : waitingOn}`;
}

function startOf(one: Interruption, issue: number, at: string) {
  const { clarificationId } = one;
  return one.status === 'clarifying'
    ? ({ type: 'start-clarifying', issue, at, clarificationId, respondingTo: one.respondingTo } as const)
    : ({ type: 'block', issue, at, clarificationId, waitingOn: one.waitingOn } as const);
}

function endOf({ status, clarificationId }: Activity, issue: number, at: string) {
  const type = status === 'clarifying' ? ('finish-clarifying' as const) : ('unblock' as const);
  // An entry of another program may name no clarification; any id then ends it.
  return { type, issue, at, clarificationId: clarificationId ?? '' };
}

function announce(
  ports: Pick<BasePorts, 'log' | 'bus'>,
  { issueNumber, at }: IssueRecords,
  { before, after }: { readonly before: AgentStatusFile; readonly after: AgentStatusFile },
): void {
  for (const [agent, entry] of Object.entries(after)) {
    if (entry === before[agent]) continue;
    const payload = statusChanged(agent, { ...statusForIssue(entry, issueNumber), issue: issueNumber }, at);
    ports.bus.emit('agent-status-changed', payload);
    ports.log.debug('agent-status-changed', { ...payload });
  }
}
