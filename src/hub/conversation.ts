import { restsOn } from '../memory/artifact-sections.js';
import type { Claim } from '../ports/store.js';
import { type ClarificationRecord, lastQuestion } from '../protocol/clarification.js';
import { AgentXError, isStoreFailure } from '../protocol/errors.js';
import type { EscalationCause } from '../protocol/escalation.js';
import { MEMORY, parseClarificationId } from '../protocol/ids.js';
import { MAX_QUESTIONS_PER_REPLY } from '../protocol/limits.js';
import { actName, againOrigin, originOfAct, turnOfTarget } from '../protocol/origin.js';
import { abandon } from './abandon.js';
import { isAbandoned } from './abandoned.js';
import { pause } from './agent-turn.js';
import { type AskRequest, openAsk } from './ask.js';
import { askHumans } from './ask-humans.js';
import { awaitedQuestions, isAwaited, leftByTool, noteAwaited, whatWasLeft } from './awaited.js';
import { changeRecord, type HubResult, logged, requireRecord, resultOf } from './change-record.js';
import { decisionsNear, type NearDecision } from './decided-before.js';
import { openEscalationQuestion } from './escalation-question.js';
import { type FollowUpRequest, openFollowUp, requireOfIssue } from './follow-up.js';
import type { BasePorts, RecordPorts, ResolvePorts, RoutePorts } from './ports.js';
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
export async function claimRoute({ store }: Pick<BasePorts, 'store'>, id: string): Promise<Claim | undefined> {
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
export async function converse(ports: RoutePorts, askedRecord: ClarificationRecord): Promise<HubResult> {
  const near = await decisionsNear(ports, { topic: askedRecord.topic, question: lastQuestion(askedRecord).body });
  const earlierAnswer = near.length === 0 ? undefined : await rememberedAnswer(ports, askedRecord, near);
  if (earlierAnswer !== undefined) return acceptRemembered(ports, askedRecord, earlierAnswer);
  const firstOutcome = await hear(ports, askedRecord, { near });
  if (!('failure' in firstOutcome)) return take(ports, askedRecord, firstOutcome);
  logFailure(ports, askedRecord, firstOutcome.failure);
  await pause(ports, ports.retryMs);
  const presentRecord = await read(ports, askedRecord.id);
  if (!isStillAsked(presentRecord, askedRecord)) return resultOf(presentRecord);
  const failures = [{ code: 'AGENT_ERROR' as const, message: firstOutcome.failure, origin: askedRecord.id }];
  const secondOutcome = await hear(ports, presentRecord, { near, failures });
  if (!('failure' in secondOutcome)) return take(ports, askedRecord, secondOutcome);
  logFailure(ports, askedRecord, secondOutcome.failure);
  const reason = `AGENT_ERROR: ${askedRecord.to} failed twice, the last time with: ${secondOutcome.failure}`;
  return handToHuman(ports, askedRecord, { reason });
}

type TargetOutcome = TargetReply | { readonly waitingOn: readonly string[] } | { readonly isPerson: true };

/** Has the target take turns until it has answered or failed, or a human has to answer first. */
async function hear(
  ports: RoutePorts,
  askedRecord: ClarificationRecord,
  { near, failures = [] }: { readonly near: readonly NearDecision[]; readonly failures?: readonly Refused[] },
): Promise<TargetOutcome> {
  if (ports.runnerFor(askedRecord.to).isHuman === true) return { isPerson: true };
  const leftState = await takeUp(ports, askedRecord);
  if (leftState.waitingOn.length > 0) return leftState;
  const heardIds = [...leftState.heard];
  let record = askedRecord;
  let refusals = failures;
  let earlierAnswer: TargetAnswer | undefined;
  for (let depth = leftState.turns; ; depth++) {
    const since = ports.clock.now();
    const {
      result: lastResult,
      asks,
      isExplicit = false,
    } = await targetTurn(ports, record, { refused: refusals, near });
    // What it answered before it asked others stands if it cannot say more.
    const result = lastResult !== undefined && 'failure' in lastResult ? (earlierAnswer ?? lastResult) : lastResult;
    const mayWait = result !== undefined && !isExplicit && depth < MAX_DEPTH;
    const leftRecord = mayWait ? await leftByTool(ports, record, since) : undefined;
    if (leftRecord !== undefined) {
      const { waitingOn, heard: others } = await takeUp(ports, leftRecord);
      if (waitingOn.length > 0) return { waitingOn };
      record = leftRecord;
      heardIds.push(...others);
      continue;
    }
    if (asks === undefined || (result === undefined && depth >= MAX_DEPTH)) {
      const lastWord = result ??
        earlierAnswer ?? { failure: `it asked others ${MAX_DEPTH} times and wants to ask again` };
      await acceptAnswers(ports, record, { heardIds, lastWord });
      return lastWord;
    }
    const turn = turnOfTarget(record, depth);
    const { reply, agents } = asks;
    await noteCalls(ports, { id: transcriptOf(record) }, { reply, turn });
    const origin = originOfAct(turn, actName('question', 0));
    const people = asks.hasHumans ? await askHumans(ports, record, { reply, origin }) : undefined;
    record = people?.record ?? record;
    const others = await askOthers(ports, record, { agents: depth < MAX_DEPTH ? agents : [], turn });
    // Its answer is its last word if no other agent has to answer it first.
    const isLastWord = others.heard.length === 0 || agents.every(({ blocking }) => blocking === false);
    if (result !== undefined && isLastWord) {
      await acceptAnswers(ports, record, { heardIds, lastWord: result });
      return result;
    }
    // A person may take a day: beside an answer, only other agents are waited for.
    const waitingOn = [...(result === undefined ? (people?.waitingOn ?? []) : []), ...others.waitingOn];
    if (waitingOn.length > 0) return { waitingOn };
    if (result !== undefined && 'answer' in result) earlierAnswer = result;
    heardIds.push(...others.heard);
    refusals = [...(people?.refused ?? []).map((one) => ({ ...one, origin })), ...others.refused];
  }
}

/**
 * The state in which the record was left for humans: whom the target still waits for, and how many turns it has taken.
 */
async function takeUp(ports: RoutePorts, record: ClarificationRecord) {
  if (record.questions === undefined && record.awaits === undefined) return { waitingOn: [], heard: [], turns: 0 };
  const { below, turns } = await whatWasLeft(ports, record);
  const results = await Promise.all(below.map((id) => routeBelow(ports, id)));
  const { waitingOn, heard } = await noteAwaited(ports, record, results);
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
  const firstParts = agents.slice(0, max);
  const results = await Promise.all(
    firstParts.map((part, index) => askOn(ports, record, { part, origin: originAt(index) })),
  );
  const clarificationResults = results.filter((result) => 'clarificationId' in result);
  const refusals: Refused[] = results.filter((result) => 'code' in result);
  if (agents.length > max) {
    const message = `The reply asks other agents ${agents.length} questions. The first ${max} were asked, the others were not.`;
    refusals.push({ origin: originAt(max), code: 'INVALID_INPUT', message });
  }
  return { ...(await noteAwaited(ports, record, clarificationResults)), refused: refusals };
}

/** The clarification, once its target has answered or waits for a human, or why there is none. */
async function askOn(
  ports: RoutePorts,
  { id, to: from }: ClarificationRecord,
  { part, origin }: { readonly part: ClarifyPart; readonly origin: string },
): Promise<HubResult | Refused> {
  const { to, topic, question, id: clarificationId } = part;
  try {
    const { issueNumber } = parseClarificationId(id);
    if (clarificationId !== undefined) requireOfIssue(clarificationId, issueNumber);
    const record =
      clarificationId === undefined
        ? await openAsk(ports, { issueNumber, from, to, topic, question, origin, within: id })
        : (await openFollowUp(ports, { clarificationId, question, by: from, origin })).record;
    return await routeBelow(ports, record.id);
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
  const repetitionId = await askedAgain(ports, result.record);
  return repetitionId === undefined ? result : routeBelow(ports, repetitionId);
}

async function askedAgain(
  { store }: Pick<BasePorts, 'store'>,
  record: ClarificationRecord,
): Promise<string | undefined> {
  if (!record.thread.some(({ type }) => type === 'escalation')) return undefined;
  const { clarifications } = await store.ledgers.read(parseClarificationId(record.id).issueNumber);
  return clarifications.find(({ origin }) => origin === againOrigin(record))?.id;
}

/**
 * The target has answered, or failed, with the answers of others: those are resolved. What it asked before it was killed,
 * and answers without, is left.
 */
async function acceptAnswers(
  ports: ResolvePorts,
  record: ClarificationRecord,
  { heardIds, lastWord }: { readonly heardIds: readonly string[]; readonly lastWord: TargetReply },
): Promise<void> {
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(record.id).issueNumber);
  for (const { id, status, within, round, blocking } of clarifications) {
    if ('answer' in lastWord && status === 'pending' && within === record.id && blocking) {
      const { status: presentStatus } = await abandon(ports, { clarificationId: id, round });
      if (presentStatus !== 'answered') continue;
    } else if (status !== 'answered' || (within !== record.id && !heardIds.includes(id))) continue;
    await resolve(ports, { clarificationId: id, body: 'Proceeding.', by: record.to, round });
  }
}

/** Records the result of a round, unless another process has done so. */
async function take(
  ports: RecordPorts,
  askedRecord: ClarificationRecord,
  outcome: Exclude<TargetOutcome, { readonly failure: string }>,
): Promise<HubResult> {
  if ('answer' in outcome) return accept(ports, askedRecord, outcome);
  if ('isPerson' in outcome) {
    const reason = `${askedRecord.to} is a person, who answers through the inbox`;
    return handToHuman(ports, askedRecord, { reason, targetIsHuman: true });
  }
  const presentRecord = await read(ports, askedRecord.id);
  return isStillAsked(presentRecord, askedRecord)
    ? { ...resultOf(presentRecord), waitingOn: outcome.waitingOn }
    : resultOf(presentRecord);
}

/** An answer that was given before, with its citation. */
async function acceptRemembered(
  ports: RecordPorts,
  askedRecord: ClarificationRecord,
  { answer, source }: { readonly answer: string; readonly source: string },
): Promise<HubResult> {
  const { record } = await changeRecord(ports, askedRecord.id, (current) =>
    isStillAsked(current, askedRecord)
      ? { type: 'answer', at: ports.clock.now(), by: MEMORY, body: answer, round: askedRecord.round, source }
      : undefined,
  );
  return resultOf(record);
}

/** An answer for which no requester waits any more ends as if a sweep had been quicker. */
async function accept(
  ports: RecordPorts,
  askedRecord: ClarificationRecord,
  targetAnswer: TargetAnswer,
): Promise<HubResult> {
  const { answer: body, artifacts } = targetAnswer;
  const isUnwanted = !askedRecord.blocking && (await isAbandoned(ports, askedRecord));
  const subject = `${askedRecord.topic} ${lastQuestion(askedRecord).body} ${body}`;
  const sections = ports.remembers === true && artifacts.length > 0 ? restsOn(artifacts, subject) : [];
  const { record, effects } = await changeRecord(ports, askedRecord.id, (current) => {
    if (!isStillAsked(current, askedRecord)) return undefined;
    const at = ports.clock.now();
    if (isUnwanted && current.status === 'pending') return { type: 'abandon', at };
    return { type: 'answer', at, by: askedRecord.to, body, round: askedRecord.round, restsOn: sections };
  });
  if (effects.length === 0 || record.status === 'abandoned') {
    ports.log.info('a late answer was dropped', { ...fieldsOf(askedRecord), status: record.status, answer: body });
  }
  return resultOf(record);
}

async function handToHuman(
  ports: RecordPorts,
  askedRecord: ClarificationRecord,
  cause: EscalationCause,
): Promise<HubResult> {
  const { record } = await changeRecord(ports, askedRecord.id, (current) =>
    isStillAsked(current, askedRecord) ? { type: 'escalate', at: ports.clock.now(), ...cause } : undefined,
  );
  return resultOf(record);
}

function isStillAsked(current: ClarificationRecord, askedRecord: Pick<ClarificationRecord, 'round'>): boolean {
  return (current.status === 'pending' || current.status === 'stale') && current.round === askedRecord.round;
}

async function read({ store }: Pick<BasePorts, 'store'>, clarificationId: string): Promise<ClarificationRecord> {
  return requireRecord(await store.ledgers.read(parseClarificationId(clarificationId).issueNumber), clarificationId);
}

function logFailure(ports: Pick<BasePorts, 'log'>, record: ClarificationRecord, failure: string): void {
  ports.log.warn('the target failed', { ...fieldsOf(record), code: 'AGENT_ERROR', failure });
}

function fieldsOf(record: ClarificationRecord) {
  const { clarificationId, issueNumber, round } = resultOf(record);
  return { clarificationId, issueNumber, fromAgent: record.from, toAgent: record.to, round };
}
