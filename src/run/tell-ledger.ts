import type { EventBus } from '../ports/event-bus.js';
import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import type { AgentXEventName, ClarificationEventPayload } from '../protocol/events.js';
import { parseClarificationId } from '../protocol/ids.js';
import { toEpochMs } from '../protocol/timestamp.js';

/*
 * A run emits events for everything that is said about its issue, including what other processes wrote into the ledger:
 * an agent's program that calls `agentx ask` in its turn, a person who answers in another terminal. Followers of the
 * run get each entry once, from the first source.
 */

type ClarificationEventName = Extract<AgentXEventName, `clarification-${string}`>;

/** The event for each type of entry, and the status in which it leaves its record. */
const EVENTS: Readonly<
  Record<ThreadEntry['type'], { name: ClarificationEventName; status: ClarificationRecord['status'] }>
> = {
  question: { name: 'clarification-requested', status: 'pending' },
  answer: { name: 'clarification-answered', status: 'answered' },
  resolution: { name: 'clarification-resolved', status: 'resolved' },
  escalation: { name: 'clarification-escalated', status: 'escalated' },
};
const ONCE: readonly string[] = [...Object.values(EVENTS).map(({ name }) => name), 'clarification-abandoned'];

export class LedgerTeller {
  readonly #emitted = new Set<string>();
  /** The same bus, without repetitions. */
  readonly bus: EventBus;

  /** What is in the ledger already is not news. */
  constructor(bus: EventBus, records: readonly ClarificationRecord[]) {
    for (const record of records)
      for (const event of eventsOf(record)) this.#emitted.add(keyOf(event.name, event.payload));
    this.bus = {
      emit: (name, payload) => {
        const key = ONCE.includes(name) ? keyOf(name, payload) : undefined;
        if (key !== undefined && this.#emitted.has(key)) return;
        if (key !== undefined) this.#emitted.add(key);
        bus.emit(name, payload);
      },
      on: (name, listener) => bus.on(name, listener),
      history: () => bus.history(),
    };
  }

  /** Emits the ledger's entries that have not been emitted yet. */
  tell(clarifications: readonly ClarificationRecord[]): void {
    for (const record of clarifications) {
      for (const { name, payload } of eventsOf(record)) this.bus.emit(name, payload);
    }
  }
}

function eventsOf(
  record: ClarificationRecord,
): readonly { name: ClarificationEventName; payload: ClarificationEventPayload }[] {
  const { id: clarificationId, from: fromAgent, to: toAgent, topic, blocking, status, round, abandonedAt } = record;
  const { issueNumber } = parseClarificationId(clarificationId);
  const what = { clarificationId, issueNumber, fromAgent, toAgent, topic, blocking };
  const entries = record.thread.map((entry) => {
    const { name, status: statusAfter } = EVENTS[entry.type];
    return {
      name,
      payload: { ...what, round: entry.round, status: statusAfter, timestamp: toEpochMs(entry.timestamp) },
    };
  });
  if (status !== 'abandoned' || abandonedAt === undefined) return entries;
  const payload = { ...what, round, status, timestamp: toEpochMs(abandonedAt) };
  return [...entries, { name: 'clarification-abandoned', payload }];
}

function keyOf(name: string, payload: object): string {
  const id = 'clarificationId' in payload ? payload.clarificationId : '';
  return `${name}/${id}/${'round' in payload ? payload.round : ''}`;
}
