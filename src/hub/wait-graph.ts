import type { ClarificationRecord } from '../protocol/clarification.js';
import type { Precedence } from './precedence.js';

/*
 * Which agent waits for which. Every blocking record that waits for its target is an edge from requester to target, on
 * any issue: an agent that waits on one issue answers no question on another. A cycle is a deadlock.
 */

/** Each agent waits for the next, the last for the first; `records` are all that make them wait, in that order. */
export interface WaitCycle {
  readonly agents: readonly string[];
  readonly records: readonly ClarificationRecord[];
}

export function waits(record: ClarificationRecord): boolean {
  return record.blocking && (record.status === 'pending' || record.status === 'stale');
}

/** One agent that waits for another. */
export interface Wait {
  readonly from: string;
  readonly to: string;
}

/** Every agent that waits for the answer to a record, outermost first: the last is its requester. */
export function chainIn(
  clarifications: readonly ClarificationRecord[],
  record: ClarificationRecord,
): readonly string[] {
  const chain = [record.from];
  if (record.within === undefined) return chain;
  const recordsById = new Map(clarifications.map((other) => [other.id, other]));
  for (let next = recordsById.get(record.within); next !== undefined; next = recordsById.get(next.within ?? '')) {
    recordsById.delete(next.id); // A file that was edited may contain a cycle.
    chain.unshift(next.from);
  }
  return chain;
}

/** At least one cycle through every agent that is in one; each cycle once, the shortest through an agent. */
export function findCycles(records: readonly ClarificationRecord[]): readonly WaitCycle[] {
  const waitingRecords = records.filter(waits);
  const agents = [...new Set(waitingRecords.map(({ from }) => from))].toSorted();
  const cycles = new Map<string, WaitCycle>();
  for (const agent of agents) {
    const path = shortestPath(waitingRecords, agent, agent);
    const key = path?.toSorted().join();
    if (path !== undefined && key !== undefined && !cycles.has(key)) cycles.set(key, cycleOf(waitingRecords, path));
  }
  return [...cycles.values()];
}

/** The shortest cycle that the candidate closes, if it closes one; it may be among the records already. */
export function cycleWith(
  records: readonly ClarificationRecord[],
  candidate: ClarificationRecord,
): WaitCycle | undefined {
  if (!waits(candidate)) return undefined;
  const waitingRecords = [...records.filter((record) => record.id !== candidate.id && waits(record)), candidate];
  const path = shortestPath(waitingRecords, candidate.to, candidate.from);
  return path === undefined ? undefined : cycleOf(waitingRecords, [candidate.from, ...path]);
}

/** The agent whose record is escalated: last in the workflow if that decides, else in the general order. */
export function mostDownstream(agents: readonly string[], precedence: Precedence): string {
  const last = agents.filter((agent) => !agents.some((other) => precedence.isUpstream(agent, other)));
  const candidates = last.length > 0 ? last : agents;
  return candidates.reduce((latest, agent) => (precedence.rank(agent) > precedence.rank(latest) ? agent : latest));
}

/** The records to escalate so that there is no cycle any more. The rest of it goes on. */
export function recordsToEscalate(cycle: WaitCycle, precedence: Precedence): readonly ClarificationRecord[] {
  const agent = mostDownstream(cycle.agents, precedence);
  return cycle.records.filter((record) => record.from === agent);
}

const DEADLOCK = 'deadlock: ';

/** The reason of the escalation that breaks it. */
export function describeCycle({ agents }: WaitCycle): string {
  return `${DEADLOCK}${[...agents, agents[0]].join(' waits for ')}`;
}

/** Whether the reason of an escalation is that agents waited for each other. */
export function isDeadlock(reason: string): boolean {
  return reason.startsWith(DEADLOCK);
}

/**
 * The agents from `start` up to and without `end`, breadth first; a way back to `start` itself has at least one edge.
 * Undefined if the first does not wait for the last, directly or through others.
 */
export function shortestPath(edges: readonly Wait[], start: string, end: string): string[] | undefined {
  const paths = [[start]];
  const reached = new Set([start]);
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const agent = path.at(-1);
    for (const { to } of edges.filter(({ from }) => from === agent)) {
      if (to === end) return path;
      if (reached.has(to)) continue;
      reached.add(to);
      paths.push([...path, to]);
    }
  }
  return undefined;
}

function cycleOf(records: readonly ClarificationRecord[], agents: readonly string[]): WaitCycle {
  const next = new Map(agents.map((agent, index) => [agent, agents[(index + 1) % agents.length]]));
  const ofAgent = (agent: string) => records.filter(({ from, to }) => from === agent && to === next.get(agent));
  return { agents, records: agents.flatMap(ofAgent) };
}
