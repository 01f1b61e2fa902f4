import {
  type ClarificationRecord,
  type ClarificationStatus,
  mayRetry,
  type RestsOn,
  type ThreadEntry,
} from './clarification.js';
import { AgentXError } from './errors.js';
import { composeEscalation, type EscalationCause } from './escalation.js';
import type { AgentXEventName, EmitEffect } from './events.js';
import { HUB, HUMAN, MEMORY, parseAgentName, parseClarificationId, RESERVED_NAMES } from './ids.js';
import {
  DEFAULT_MAX_ROUNDS_BLOCKING,
  DEFAULT_MAX_ROUNDS_NON_BLOCKING,
  DEFAULT_SLA_MINUTES,
  MAX_ANSWER_CHARACTERS,
  MAX_QUESTION_CHARACTERS,
  MAX_TOPIC_CHARACTERS,
} from './limits.js';
import { requireText } from './parse.js';
import type { QuestionOutcome } from './question.js';
import { textProblem } from './sound-data.js';
import { addMinutes, isBefore, toEpochMs } from './timestamp.js';

/*
 * A new clarification is `pending`, waiting for its target. An answer makes it `answered`; the requester then either
 * follows up, which opens the next round and makes it pending again, or resolves it. A pending one whose SLA expires is
 * `stale`: the target is asked once more (pending again), and at the second expiry a human is asked. A late answer to a
 * stale one counts: it passes through pending and ends answered. `escalated` waits for a human, whose word resolves it.
 * It is reached on request, after the second expiry, or by a follow-up when all rounds are used; such a follow-up is
 * not routed. `abandoned` ends a pending one whose requester has moved on. Resolved and abandoned never change again.
 */

export type ClarificationEvent =
  | {
      type: 'answer';
      at: string;
      by: string;
      body: string;
      round?: number;
      source?: string;
      restsOn?: readonly RestsOn[];
      principal?: string;
    }
  | { type: 'follow-up'; at: string; by: string; body: string; origin?: string; principal?: string }
  | { type: 'resolve'; at: string; by: string; body: string; principal?: string }
  | { type: 'expire'; at: string }
  | { type: 'retry'; at: string }
  | { type: 'escalate'; at: string; reason: string; by?: string; principal?: string; targetIsHuman?: boolean }
  | {
      type: 'human-resolve';
      at: string;
      by: string;
      body: string;
      principal?: string;
      outcome?: QuestionOutcome;
      undecided?: NonNullable<ThreadEntry['undecided']>;
    }
  | { type: 'abandon'; at: string };

type EventOf<Type extends ClarificationEvent['type']> = Readonly<Extract<ClarificationEvent, { type: Type }>>;

export type ClarificationEffect =
  | EmitEffect<Extract<AgentXEventName, `clarification-${string}`>>
  | { readonly type: 'invoke'; readonly agent: string; readonly clarificationId: string; readonly round: number };

/** `error` is for the caller to report after the record is written; it does not undo the transition. */
export interface ClarificationResult {
  readonly record: ClarificationRecord;
  readonly effects: readonly ClarificationEffect[];
  readonly error?: AgentXError;
}

export const CLARIFICATION_TRANSITIONS: Readonly<
  Record<ClarificationStatus, Readonly<Partial<Record<ClarificationEvent['type'], ClarificationStatus>>>>
> = {
  pending: { answer: 'answered', expire: 'stale', escalate: 'escalated', abandon: 'abandoned' },
  answered: { 'follow-up': 'pending', resolve: 'resolved', escalate: 'escalated' },
  stale: { answer: 'answered', retry: 'pending', escalate: 'escalated' },
  escalated: { 'human-resolve': 'resolved' },
  resolved: {},
  abandoned: {},
};

export interface ClarificationRequest {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly topic: string;
  readonly question: string;
  readonly blocking: boolean;
  readonly maxRounds?: number;
  readonly slaMinutes?: number;
  readonly at: string;
  readonly origin?: string | undefined;
  readonly within?: string | undefined;
}

export function openClarification(request: ClarificationRequest): ClarificationResult {
  const { id, blocking, at, slaMinutes = DEFAULT_SLA_MINUTES } = request;
  parseClarificationId(id);
  const from = requireWorkingAgent(request.from);
  const to = requireWorkingAgent(request.to);
  if (from === to) throw new AgentXError('INVALID_INPUT', `Agent '${from}' cannot ask itself.`, { from, to });
  const topic = requireText(request.topic, 'topic', MAX_TOPIC_CHARACTERS);
  const question = requireText(request.question, 'question', MAX_QUESTION_CHARACTERS);
  const record: ClarificationRecord = {
    id,
    from,
    to,
    topic,
    blocking,
    status: 'pending',
    round: 1,
    maxRounds: requireMaxRounds(request.maxRounds ?? defaultMaxRounds(blocking)),
    created: at,
    staleAfter: addMinutes(at, requireSlaMinutes(slaMinutes)),
    resolvedAt: null,
    slaMinutes,
    retries: 0,
    thread: [{ round: 1, from, type: 'question', body: question, timestamp: at }],
    ...originOf(request),
    ...(request.within === undefined ? {} : { within: request.within }),
  };
  return { record, effects: [emit('clarification-requested', record, at), invokeTarget(record)] };
}

/**
 * The only way a record changes. Throws INVALID_STATE, UNAUTHORIZED, CONFLICT or INVALID_INPUT and then changes
 * nothing.
 */
export function transition(record: ClarificationRecord, event: Readonly<ClarificationEvent>): ClarificationResult {
  const status = CLARIFICATION_TRANSITIONS[record.status][event.type];
  if (status === undefined) throw illegal(record, event.type);
  switch (event.type) {
    case 'answer':
      return answer(record, event);
    case 'follow-up':
      return record.round < record.maxRounds ? followUp(record, event) : exceedRounds(record, event);
    case 'resolve':
      requireActor(record, event, [record.from, HUMAN]);
      return settle(record, event);
    case 'human-resolve':
      requireActor(record, event, [HUMAN]);
      return settle(event.outcome === undefined ? record : { ...record, outcome: event.outcome }, event);
    case 'expire':
      return expire(record, event);
    case 'retry':
      return retry(record, event);
    case 'escalate':
      // Without a name the hub itself escalates, because the two make no progress.
      if (event.by !== undefined) requireActor(record, { ...event, by: event.by }, [record.from, record.to, HUMAN]);
      return escalate(record, { ...event, reason: reasonOf(event) });
    case 'abandon': {
      const abandonedRecord: ClarificationRecord = { ...record, status, abandonedAt: event.at };
      return { record: abandonedRecord, effects: [emit('clarification-abandoned', abandonedRecord, event.at)] };
    }
  }
}

function answer(record: ClarificationRecord, event: EventOf<'answer'>): ClarificationResult {
  requireActor(record, event, [record.to, HUMAN, MEMORY]);
  if (event.round !== undefined && event.round !== record.round) {
    throw new AgentXError(
      'CONFLICT',
      `${record.id} is in round ${record.round}; an answer to round ${event.round} comes too late.`,
      { clarificationId: record.id, round: record.round, answeredRound: event.round },
    );
  }
  const body = requireText(event.body, 'answer', MAX_ANSWER_CHARACTERS);
  const { source, restsOn = [] } = event;
  const answerEntry: ThreadEntry = {
    round: record.round,
    from: event.by,
    type: 'answer',
    body,
    timestamp: event.at,
    ...principalOf(event),
    ...(source !== undefined && { source }),
    ...(restsOn.length > 0 && { restsOn }),
  };
  const answeredRecord: ClarificationRecord = {
    ...record,
    status: 'answered',
    thread: [...record.thread, answerEntry],
  };
  return { record: answeredRecord, effects: [emit('clarification-answered', answeredRecord, event.at)] };
}

function followUp(record: ClarificationRecord, event: EventOf<'follow-up'>): ClarificationResult {
  requireActor(record, event, [record.from, HUMAN]);
  const body = requireText(event.body, 'question', MAX_QUESTION_CHARACTERS);
  const round = record.round + 1;
  const { by: from, at: timestamp } = event;
  const pendingRecord: ClarificationRecord = {
    ...record,
    status: 'pending',
    round,
    staleAfter: renewedSla(record, event.at),
    thread: [
      ...record.thread,
      { round, from, type: 'question', body, timestamp, ...originOf(event), ...principalOf(event) },
    ],
  };
  return {
    record: pendingRecord,
    effects: [emit('clarification-requested', pendingRecord, event.at), invokeTarget(pendingRecord)],
  };
}

function exceedRounds(record: ClarificationRecord, event: EventOf<'follow-up'>): ClarificationResult {
  requireActor(record, event, [record.from, HUMAN]);
  const body = requireText(event.body, 'question', MAX_QUESTION_CHARACTERS);
  const message = `${record.id} has used all ${record.maxRounds} rounds and is escalated to a human.`;
  const cause = {
    reason: record.maxRounds === 1 ? 'its one round is used' : `all ${record.maxRounds} rounds are used`,
    unrouted: body,
  };
  return {
    ...escalate(record, { at: event.at, ...cause, ...originOf(event), ...principalOf(event) }),
    error: new AgentXError('MAX_ROUNDS_EXCEEDED', message, {
      clarificationId: record.id,
      maxRounds: record.maxRounds,
    }),
  };
}

function settle(record: ClarificationRecord, event: EventOf<'resolve' | 'human-resolve'>): ClarificationResult {
  const body = requireText(event.body, 'resolution', MAX_ANSWER_CHARACTERS);
  const undecided = event.type === 'human-resolve' ? event.undecided : undefined;
  const resolution: ThreadEntry = {
    round: record.round,
    from: event.by,
    type: 'resolution',
    body,
    timestamp: event.at,
    ...principalOf(event),
    ...(undecided !== undefined && { undecided }),
  };
  const thread = [...record.thread, resolution];
  const resolvedRecord: ClarificationRecord = { ...record, status: 'resolved', resolvedAt: event.at, thread };
  return { record: resolvedRecord, effects: [emit('clarification-resolved', resolvedRecord, event.at)] };
}

function expire(record: ClarificationRecord, event: EventOf<'expire'>): ClarificationResult {
  // A sweep may have looked before another process renewed the SLA; its verdict is then out of date.
  if (isBefore(event.at, record.staleAfter)) {
    throw new AgentXError('INVALID_STATE', `${record.id} cannot expire before ${record.staleAfter}.`, {
      clarificationId: record.id,
      status: record.status,
      event: event.type,
      staleAfter: record.staleAfter,
    });
  }
  const expiredAt = [...(record.expiredAt ?? []), event.at];
  const stale: ClarificationRecord = { ...record, status: 'stale', expiredAt };
  return { record: stale, effects: [emit('clarification-stale', stale, event.at)] };
}

function retry(record: ClarificationRecord, event: EventOf<'retry'>): ClarificationResult {
  if (!mayRetry(record)) {
    throw new AgentXError(
      'INVALID_STATE',
      `${record.id} is ${record.status} and was retried already; 'retry' is allowed once. Allowed: escalate.`,
      { clarificationId: record.id, status: record.status, event: event.type, retries: record.retries },
    );
  }
  const pendingRecord: ClarificationRecord = {
    ...record,
    status: 'pending',
    retries: (record.retries ?? 0) + 1,
    staleAfter: renewedSla(record, event.at),
  };
  return { record: pendingRecord, effects: [invokeTarget(pendingRecord)] };
}

interface Escalating {
  readonly at: string;
  readonly origin?: string;
  readonly principal?: string;
}

function escalate(
  record: ClarificationRecord,
  { at, origin, principal, ...cause }: EscalationCause & Escalating,
): ClarificationResult {
  const { body, positions, options } = composeEscalation(record, cause);
  const { reason } = cause;
  const newEntry: ThreadEntry = {
    round: record.round,
    from: HUB,
    type: 'escalation',
    body,
    timestamp: at,
    reason,
    positions,
    options,
    ...originOf({ origin }),
    ...principalOf({ principal }),
  };
  const escalatedRecord: ClarificationRecord = { ...record, status: 'escalated', thread: [...record.thread, newEntry] };
  return { record: escalatedRecord, effects: [emit('clarification-escalated', escalatedRecord, at)] };
}

function defaultMaxRounds(blocking: boolean): number {
  return blocking ? DEFAULT_MAX_ROUNDS_BLOCKING : DEFAULT_MAX_ROUNDS_NON_BLOCKING;
}

function emit<Name extends Extract<AgentXEventName, `clarification-${string}`>>(
  name: Name,
  record: ClarificationRecord,
  at: string,
) {
  return {
    type: 'emit' as const,
    name,
    payload: {
      clarificationId: record.id,
      issueNumber: parseClarificationId(record.id).issueNumber,
      fromAgent: record.from,
      toAgent: record.to,
      topic: record.topic,
      blocking: record.blocking,
      round: record.round,
      status: record.status,
      timestamp: toEpochMs(at),
    },
  };
}

function originOf({ origin }: { readonly origin?: string | undefined }): { readonly origin?: string } {
  return origin === undefined ? {} : { origin };
}

function principalOf({ principal }: { readonly principal?: string | undefined }): { readonly principal?: string } {
  return principal === undefined ? {} : { principal };
}

function invokeTarget(record: ClarificationRecord): ClarificationEffect {
  return { type: 'invoke', agent: record.to, clarificationId: record.id, round: record.round };
}

function renewedSla(record: ClarificationRecord, at: string): string {
  return addMinutes(at, record.slaMinutes ?? DEFAULT_SLA_MINUTES);
}

function requireActor(
  record: ClarificationRecord,
  event: { readonly type: string; readonly by: string },
  allowed: readonly string[],
): void {
  if (allowed.includes(event.by)) return;
  const isForHumans = event.type === 'human-resolve';
  const what = isForHumans ? `resolve ${record.id}, which is escalated` : `${event.type} ${record.id}`;
  throw new AgentXError('UNAUTHORIZED', `'${event.by}' may not ${what}. Allowed: ${allowed.join(', ')}.`, {
    clarificationId: record.id,
    by: event.by,
    event: event.type,
    allowed,
  });
}

function requireWorkingAgent(name: string): string {
  const agent = parseAgentName(name);
  if (!RESERVED_NAMES.includes(agent)) return agent;
  throw new AgentXError('INVALID_INPUT', `'${agent}' is a reserved name. Allowed: the agents of the project.`, {
    agent,
  });
}

function requireMaxRounds(maxRounds: number): number {
  if (Number.isSafeInteger(maxRounds) && maxRounds >= 1) return maxRounds;
  throw new AgentXError('INVALID_INPUT', `maxRounds ${maxRounds} is not allowed. Allowed: whole numbers from 1.`, {
    maxRounds,
  });
}

function requireSlaMinutes(slaMinutes: number): number {
  if (Number.isFinite(slaMinutes) && slaMinutes > 0) return slaMinutes;
  throw new AgentXError('INVALID_INPUT', `slaMinutes ${slaMinutes} is not allowed. Allowed: numbers above 0.`, {
    slaMinutes,
  });
}

/**
 * A reason of the hub is cut and cleaned, not refused: often it is the output of a failed program, and an escalation
 * must not fail because of it.
 */
function reasonOf({ reason, by }: EventOf<'escalate'>): string {
  if (by !== undefined) return requireText(reason, 'reason', MAX_QUESTION_CHARACTERS);
  const characters = [...reason.slice(0, 2 * MAX_QUESTION_CHARACTERS)].slice(0, MAX_QUESTION_CHARACTERS);
  const text = characters.filter((character) => textProblem(character) === undefined).join('');
  return requireText(text, 'reason', MAX_QUESTION_CHARACTERS);
}

/** Events that only the hub itself causes. */
const OWN_EVENTS: readonly string[] = ['expire', 'retry', 'abandon'];

/** Events that people know by another name. */
const VERBS: ReadonlyMap<string, string> = new Map([['human-resolve', 'resolve, by a human']]);

function illegal(record: ClarificationRecord, event: string): AgentXError {
  const allowed = Object.keys(CLARIFICATION_TRANSITIONS[record.status]);
  const verbs = allowed.filter((type) => !OWN_EVENTS.includes(type)).map((type) => VERBS.get(type) ?? type);
  const what = verbs.length > 0 ? verbs.join(', ') : 'nothing, it has ended';
  return new AgentXError(
    'INVALID_STATE',
    `${record.id} is ${record.status}, which does not take '${event}'. Allowed: ${what}.`,
    {
      clarificationId: record.id,
      status: record.status,
      event,
      allowed,
    },
  );
}
