import type { Claim } from '../ports/store.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError, isStoreFailure } from '../protocol/errors.js';
import type { EscalationCause } from '../protocol/escalation.js';
import { MEMORY, parseClarificationId } from '../protocol/ids.js';
import { MAX_QUESTIONS_PER_REPLY } from '../protocol/limits.js';
import { actName, againOrigin, originOfAct, turnOfTarget } from '../protocol/origin.js';
import { isAbandoned } from './abandoned.js';
import { pause } from './agent-turn.js';
import { type AskRequest, openAsk } from './ask.js';
import { askHumans } from './ask-humans.js';
import { awaitedQuestions, isAwaited, leftByTool, noteAwaited, whatWasLeft } from './awaited.js';
import { sectionsBehind } from './brief.js';
import { changeRecord, logged, requireRecord } from './change-record.js';
import { openEscalationQuestion } from './escalation-question.js';
import { type FollowUpRequest, openFollowUp } from './follow-up.js';
import { type HubPorts, type HubResult, type RoutePorts, resultOf } from './ports.js';
import { rememberedAnswer } from './remembered-answer.js';
import { resolve } from './resolve.js';
import { settleEscalation } from './settle-escalation.js';
import {
  type ClarifyPart,
  type Refused,
  type TargetAnswer,
  type TargetReply,
  targetTurn,
  transcriptOf,
} from './target-turn.js';
import { noteCalls } from './transcript.js';

/*
 * The conversation about a clarification, from its question to its answer. The target takes a turn; if it wants to know
 * something first, that question goes through all guards of the hub, is routed in the same way, and the target takes
 * another turn with the answer in its brief. A target that fails is asked once more after the configured wait, then a
 * human is. If a human has to answer first, no process stays: the record is pending until it is routed again.
 *
 * No lock is held while an agent works, so whatever another process did to the record meanwhile stands. Everything that
 * a target asks carries its origin, by which a second process finds it already asked.
 */

/** How often a record that another process routes is looked at. */
const LOOK_EVERY_MS = 300;

/** How often a target may ask others before it has to answer. */
const MAX_DEPTH = 3;

/** One clarification, asked and routed: it comes back answered or escalated. */
export async function ask(ports: RoutePorts, request: AskRequest): Promise<HubResult> {
  return routed(ports, await openAsk(ports, request));
}

/**
 * Opens the next round and routes it. After the last round no agent is asked: the record is escalated, the human's
 * question is open, and MAX_ROUNDS_EXCEEDED is thrown.
 */
export async function followUp(ports: RoutePorts, request: FollowUpRequest): Promise<HubResult> {
  const { record, error } = await openFollowUp(ports, request);
  if (error !== undefined) throw error;
  return routed(ports, record);
}

async function routed(ports: RoutePorts, record: ClarificationRecord): Promise<HubResult> {
  const { id: clarificationId, round, status } = record;
  return status === 'pending' ? route(ports, { clarificationId, round }) : resultOf(record);
}

export interface RouteRequest {
  readonly clarificationId: string;
  /** The round that is to be answered; by default the present one. */
  readonly round?: number;
}

/**
 * Has the target of a clarification answer, unless another live process does so already: then this one waits for the
 * other's result. A process that died is taken over at once. A record that waits for no answer any more is returned as
 * it is.
 */
export async function route(ports: RoutePorts, { clarificationId, round }: RouteRequest): Promise<HubResult> {
  const { issueNumber } = parseClarificationId(clarificationId);
  for (;;) {
    const claim = await claimRoute(ports, clarificationId);
    try {
      ports.signal?.throwIfAborted();
      // Read under the claim: the process that had it before may have written the answer.
      const record = await logged(ports, { clarificationId, issueNumber }, () => read(ports, clarificationId));
      if (!isStillAsked(record, { round: round ?? record.round })) return resultOf(record);
      if (claim !== undefined) return await converse(ports, record);
    } finally {
      await claim?.release();
    }
    await pause(ports, LOOK_EVERY_MS);
  }
}

/** The right to have its target answer; undefined while a live process has it. */
export async function claimRoute({ store }: Pick<HubPorts, 'store'>, id: string): Promise<Claim | undefined> {
  try {
    return await store.claim({ route: id });
  } catch (error) {
    if (error instanceof AgentXError && error.code === 'CONFLICT') return undefined;
    throw error;
  }
}

/**
 * Asks the target for an answer to the present round, twice if need be. For callers that hold the claim, or act beside
 * it.
 */
export async function converse(ports: RoutePorts, asked: ClarificationRecord): Promise<HubResult> {
  const remembered = await rememberedAnswer(ports, asked);
  if (remembered !== undefined) return acceptRemembered(ports, asked, remembered);
  const first = await hear(ports, asked);
  if (!('failure' in first)) return take(ports, asked, first);
  logFailure(ports, asked, first.failure);
  await pause(ports, ports.retryMs);
  const present = await read(ports, asked.id);
  if (!isStillAsked(present, asked)) return resultOf(present);
  const second = await hear(ports, present, [{ code: 'AGENT_ERROR', message: first.failure, origin: asked.id }]);
  if (!('failure' in second)) return take(ports, asked, second);
  logFailure(ports, asked, second.failure);
  const reason = `AGENT_ERROR: ${asked.to} failed twice, the last time with: ${second.failure}`;
  return handToHuman(ports, asked, { reason });
}

type TargetOutcome = TargetReply | { readonly waitingOn: readonly string[] } | { readonly isPerson: true };

/** Has the target take turns until it has answered or failed, or a human has to answer first. */
async function hear(
  ports: RoutePorts,
  asked: ClarificationRecord,
  failed: readonly Refused[] = [],
): Promise<TargetOutcome> {
  if (ports.runnerFor(asked.to).isHuman === true) return { isPerson: true };
  const leftState = await takeUp(ports, asked);
  if (leftState.waitingOn.length > 0) return leftState;
  const heard = [...leftState.heard];
  let record = asked;
  let refused = failed;
  for (let depth = leftState.turns; ; depth++) {
    const since = ports.clock.now();
    const { result, asks, isExplicit = false } = await targetTurn(ports, record, refused);
    const mayWait = result !== undefined && !isExplicit && depth < MAX_DEPTH;
    const left = mayWait ? await leftByTool(ports, record, since) : undefined;
    if (left !== undefined) {
      const { waitingOn, heard: others } = await takeUp(ports, left);
      if (waitingOn.length > 0) return { waitingOn };
      record = left;
      heard.push(...others);
      continue;
    }
    if (asks === undefined || (result === undefined && depth >= MAX_DEPTH)) {
      await acceptAnswers(ports, record, heard);
      return result ?? { failure: `it asked others ${MAX_DEPTH} times and wants to ask again` };
    }
    const turn = turnOfTarget(record, depth);
    const { reply, agents } = asks;
    await noteCalls(ports, { id: transcriptOf(record) }, { reply, turn });
    const origin = originOfAct(turn, actName('question', 0));
    const people = asks.hasHumans ? await askHumans(ports, record, { reply, origin }) : undefined;
    if (result !== undefined) {
      await acceptAnswers(ports, record, heard);
      return result;
    }
    record = people?.record ?? record;
    const others = await askOthers(ports, record, { agents, turn });
    const waitingOn = [...(people?.waitingOn ?? []), ...others.waitingOn];
    if (waitingOn.length > 0) return { waitingOn };
    heard.push(...others.heard);
    refused = [...(people?.refused ?? []).map((one) => ({ ...one, origin })), ...others.refused];
  }
}

/**
 * The state in which the record was left for humans: whom the target still waits for, and how many turns it has taken.
 */
async function takeUp(ports: RoutePorts, record: ClarificationRecord) {
  if (record.questions === undefined && record.awaits === undefined) return { waitingOn: [], heard: [], turns: 0 };
  const { below, turns } = await whatWasLeft(ports, record);
  const routed = await Promise.all(below.map((id) => routeBelow(ports, id)));
  const { waitingOn, heard } = await noteAwaited(ports, record, routed);
  return { waitingOn: [...(await awaitedQuestions(ports, record)), ...waitingOn], heard, turns };
}

/** Asks other agents what a target wants to know, in parallel. */
async function askOthers(
  ports: RoutePorts,
  record: ClarificationRecord,
  { agents, turn }: { readonly agents: readonly ClarifyPart[]; readonly turn: string },
) {
  const max = MAX_QUESTIONS_PER_REPLY;
  const originAt = (index: number) => originOfAct(turn, actName('clarify', index));
  const first = agents.slice(0, max);
  const results = await Promise.all(
    first.map((asked, index) => askOn(ports, record, { asked, origin: originAt(index) })),
  );
  const answered = results.filter((result) => 'clarificationId' in result);
  const refused: Refused[] = results.filter((result) => 'code' in result);
  if (agents.length > max) {
    const message = `The reply asks other agents ${agents.length} questions. The first ${max} were asked, the others were not.`;
    refused.push({ origin: originAt(max), code: 'INVALID_INPUT', message });
  }
  return { ...(await noteAwaited(ports, record, answered)), refused };
}

/** The clarification, once its target has answered or waits for a human, or why there is none. */
async function askOn(
  ports: RoutePorts,
  { id, to: from }: ClarificationRecord,
  { asked, origin }: { readonly asked: ClarifyPart; readonly origin: string },
): Promise<HubResult | Refused> {
  const { to, topic, question, id: clarificationId } = asked;
  try {
    const { issueNumber } = parseClarificationId(id);
    const opened =
      clarificationId === undefined
        ? await openAsk(ports, { issueNumber, from, to, topic, question, origin, within: id })
        : (await openFollowUp(ports, { clarificationId, question, by: from, origin })).record;
    return await routeBelow(ports, opened.id);
  } catch (error) {
    if (!(error instanceof AgentXError) || isStoreFailure(error) || error.code === 'CONFIG_ERROR') throw error;
    return { origin, code: error.code, message: error.message };
  }
}

/**
 * Routes a clarification that a target asked. If a human has to decide it, the target waits for the human. If the human
 * had it asked again, the answer is in the record of that repetition.
 */
async function routeBelow(ports: RoutePorts, clarificationId: string): Promise<HubResult> {
  const result = await route(ports, { clarificationId });
  if (result.status === 'escalated') {
    const question = await openEscalationQuestion(ports, result.record);
    if (isAwaited(question)) return { ...result, waitingOn: [question.id] };
    // The process that took the human's word may have died before anything followed from it.
    await settleEscalation(ports, question);
  }
  const again = await askedAgain(ports, result.record);
  return again === undefined ? result : routeBelow(ports, again);
}

async function askedAgain(
  { store }: Pick<HubPorts, 'store'>,
  record: ClarificationRecord,
): Promise<string | undefined> {
  if (!record.thread.some(({ type }) => type === 'escalation')) return undefined;
  const { clarifications } = await store.ledgers.read(parseClarificationId(record.id).issueNumber);
  return clarifications.find(({ origin }) => origin === againOrigin(record))?.id;
}

/** The target has answered, or failed, with the answers of others: those are resolved. */
async function acceptAnswers(ports: HubPorts, record: ClarificationRecord, heard: readonly string[]): Promise<void> {
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(record.id).issueNumber);
  for (const { id, status, within, round } of clarifications) {
    if (status !== 'answered' || (within !== record.id && !heard.includes(id))) continue;
    await resolve(ports, { clarificationId: id, body: 'Proceeding.', by: record.to, round });
  }
}

/** Records the result of a round, unless another process has done so. */
async function take(
  ports: HubPorts,
  asked: ClarificationRecord,
  heard: Exclude<TargetOutcome, { readonly failure: string }>,
): Promise<HubResult> {
  if ('answer' in heard) return accept(ports, asked, heard);
  if ('isPerson' in heard) {
    const reason = `${asked.to} is a person, who answers through the inbox`;
    return handToHuman(ports, asked, { reason, targetIsHuman: true });
  }
  const present = await read(ports, asked.id);
  return isStillAsked(present, asked) ? { ...resultOf(present), waitingOn: heard.waitingOn } : resultOf(present);
}

/** An answer that was given before, with its citation. */
async function acceptRemembered(
  ports: HubPorts,
  asked: ClarificationRecord,
  { answer, source }: { readonly answer: string; readonly source: string },
): Promise<HubResult> {
  const { record } = await changeRecord(ports, asked.id, (current) =>
    isStillAsked(current, asked)
      ? { type: 'answer', at: ports.clock.now(), by: MEMORY, body: answer, round: asked.round, source }
      : undefined,
  );
  return resultOf(record);
}

/** An answer for which no requester waits any more ends as if a sweep had been quicker. */
async function accept(ports: HubPorts, asked: ClarificationRecord, given: TargetAnswer): Promise<HubResult> {
  const { answer: body } = given;
  const isUnwanted = !asked.blocking && (await isAbandoned(ports, asked));
  const restsOn = ports.remembers === true ? sectionsBehind(asked, given) : [];
  const { record, effects } = await changeRecord(ports, asked.id, (current) => {
    if (!isStillAsked(current, asked)) return undefined;
    const at = ports.clock.now();
    if (isUnwanted && current.status === 'pending') return { type: 'abandon', at };
    return { type: 'answer', at, by: asked.to, body, round: asked.round, restsOn };
  });
  if (effects.length === 0 || record.status === 'abandoned') {
    ports.log.info('a late answer was dropped', { ...fieldsOf(asked), status: record.status, answer: body });
  }
  return resultOf(record);
}

async function handToHuman(ports: HubPorts, asked: ClarificationRecord, cause: EscalationCause): Promise<HubResult> {
  const { record } = await changeRecord(ports, asked.id, (current) =>
    isStillAsked(current, asked) ? { type: 'escalate', at: ports.clock.now(), ...cause } : undefined,
  );
  return resultOf(record);
}

function isStillAsked(current: ClarificationRecord, asked: Pick<ClarificationRecord, 'round'>): boolean {
  return (current.status === 'pending' || current.status === 'stale') && current.round === asked.round;
}

async function read({ store }: Pick<HubPorts, 'store'>, clarificationId: string): Promise<ClarificationRecord> {
  return requireRecord(await store.ledgers.read(parseClarificationId(clarificationId).issueNumber), clarificationId);
}

function logFailure(ports: Pick<HubPorts, 'log'>, record: ClarificationRecord, failure: string): void {
  ports.log.warn('the target failed', { ...fieldsOf(record), code: 'AGENT_ERROR', failure });
}

function fieldsOf(record: ClarificationRecord) {
  const { clarificationId, issueNumber, round } = resultOf(record);
  return { clarificationId, issueNumber, fromAgent: record.from, toAgent: record.to, round };
}
