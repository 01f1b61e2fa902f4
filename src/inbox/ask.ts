import * as z from 'zod/mini';
import { createQuestion } from '../hub/change-question.js';
import { requireIssue } from '../hub/issue.js';
import type { BasePorts } from '../hub/ports.js';
import { requireKnownAgent } from '../hub/scope.js';
import { requestOf } from '../protocol/asks-humans.js';
import type { Assumption, Decision } from '../protocol/assumption.js';
import { underClaim } from '../protocol/claim.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName, parseIssueNumber, questionIdFor } from '../protocol/ids.js';
import { MAX_LOCK_WAIT_MS } from '../protocol/limits.js';
import { blockerOf } from '../protocol/needs-clarification.js';
import { type AskedQuestions, askedIn, parseAsked } from '../protocol/open-questions.js';
import { againOrigin, isSameCause, refusedOrigin } from '../protocol/origin.js';
import { parseWith } from '../protocol/parse.js';
import type { Question, QuestionFallback, QuestionKind, QuestionPart, QuestionSource } from '../protocol/question.js';
import { hasOrigin, noteAttached } from '../protocol/question-notes.js';
import type { Reply } from '../protocol/reply.js';
import type { Run } from '../protocol/run.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { keepAssumption } from './assumptions.js';
import { blockTask } from './block-task.js';
import { blocksTask } from './fail-early.js';
import { GATED_AGENT, passGate } from './gate.js';
import { decisionAlone, partsOf, type Requested, readRequest, refusalOf } from './planning-request.js';
import type { AskHumansPorts } from './ports.js';
import { asksTheSame, fallbackOf, isConfirmation, ownFallbacks, withoutRepeats } from './question-parts.js';
import { completeSession, releaseClaim } from './session.js';

/*
 * The one door to asking a human: `askHumans`. The agent's text is parsed, a planner has to pass the gate, and a
 * question that was asked before is not asked again; then the question is written. Parsing and gating are pure and
 * stand beside it: `planning-request.ts`, `question-parts.ts`, `gate.ts`.
 */

/** Who asks, and where. */
interface Asker {
  /** Its cause: the question's id is derived from this, so that asking again gives the same question. */
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  /** Every agent that waits for the agent's answer, outermost first and the agent last; by default the agent alone. */
  readonly chain?: readonly string[];
  readonly runId?: string;
  /** That of the run; by default that of the issue's run. */
  readonly phase?: Run['phase'];
}

/** What holds for a question as a whole. */
interface QuestionSettings {
  readonly blocking?: boolean;
  readonly consequence?: Question['consequence'];
  /** Applied without an answer in time; only for reversible questions. */
  readonly fallback?: QuestionFallback;
  /** The issue is blocked and has no assignee until the question ends. */
  readonly blocksTask?: boolean;
}

/** The questions of a reply, in any form in which agents write them. */
export interface ReplyAsking extends Asker {
  readonly reply: Reply;
  /** The clarification that the agent was to answer. */
  readonly clarificationId?: string;
}

/** A question that is already parsed. */
export interface ReadyAsking extends Asker, QuestionSettings {
  readonly parts: readonly QuestionPart[];
  readonly kind?: QuestionKind;
  readonly source: QuestionSource;
  readonly sourceId: string;
  /** An agent's own question: if the same was asked before, it waits for that answer. */
  readonly attach?: boolean;
  readonly details?: Pick<Question, 'session' | 'blocker_type' | 'evidence' | 'proposal'>;
}

/** A question from outside a run: through the server, or by a tool. */
export interface AskHumansRequest extends Asker, QuestionSettings {
  /** Read as leniently as those of an agent's reply. */
  readonly questions: readonly unknown[];
  /** `blocking`, `consequence` and `fallback` in an agent's own words, unless they are fields of this request. */
  readonly beside?: unknown;
  readonly source: QuestionSource;
  readonly sourceId: string;
  /** The agent of a client that the settings do not know. */
  readonly isGuest?: boolean;
}

export interface AskedHumans {
  readonly question?: Question;
  /** Why something was not asked; the agent goes on, and its next brief says so. */
  readonly refused?: Pick<AgentXError, 'code' | 'message' | 'details'>;
  /** The assumption with which it goes on, if the gate refused it. */
  readonly assumption?: Assumption;
}

/**
 * Asks a human, once for each origin. A question that says the same as an open one of the issue, or as one that was
 * decided in the same run, waits for that answer. A question of a reply that cannot be asked is refused, never dropped
 * silently. For a caller outside a run that is an error: GATE_REFUSED, with every condition that failed and the
 * assumption that was recorded instead.
 */
export function askHumans(ports: AskHumansPorts, asking: ReadyAsking): Promise<{ readonly question: Question }>;
export function askHumans(ports: AskHumansPorts, asking: AskHumansRequest): Promise<{ readonly question: Question }>;
export function askHumans(ports: AskHumansPorts, asking: ReplyAsking): Promise<AskedHumans>;
export async function askHumans(
  ports: AskHumansPorts,
  asking: ReadyAsking | AskHumansRequest | ReplyAsking,
): Promise<AskedHumans> {
  if ('questions' in asking) return { question: await askFromOutside(ports, asking) };
  if ('reply' in asking) return askReply(ports, asking);
  parseIssueNumber(asking.issueNumber);
  if (asking.attach !== true) return { question: await open(ports, asking) };
  // Of agents that ask the same at the same moment, the second finds the question of the first.
  return { question: await inTurn(ports, asking.issueNumber, () => open(ports, asking)) };
}

/**
 * One after the other for each issue, in all processes: for work that looks whether something was asked, and asks it if
 * not. `work` must not wait for another turn of the same issue.
 */
function inTurn<R>(
  { store, signal }: Pick<AskHumansPorts, 'store' | 'signal'>,
  issueNumber: number,
  work: () => Promise<R>,
): Promise<R> {
  return underClaim(store.claim({ asking: issueNumber }, { waitMs: MAX_LOCK_WAIT_MS, signal }), work);
}

async function askReply(ports: AskHumansPorts, asking: ReplyAsking): Promise<AskedHumans> {
  const { reply, clarificationId: _, ...asker } = asking;
  try {
    const batch = askedIn(reply, defaultsOf(ports));
    const { parts } = batch;
    const rawRequest = requestOf(reply);
    if (parts.length === 0 && rawRequest === undefined) return {};
    const isGated = asker.agent === GATED_AGENT;
    const openBesides = () => askOpenQuestions(ports, asking, batch);
    if (rawRequest === undefined && !isGated) return await openBesides();
    const result = await askPastGate(ports, asker, reply.source?.id, {
      said: rawRequest ?? parts[0],
      around: rawRequest === undefined ? batch : reply,
      questions: (rawRequest === undefined ? 0 : 1) + (isGated ? parts.length : 0),
      beside: isGated ? { ...batch, parts: [], consequence: 'reversible' } : batch,
    });
    // Its own questions that need no gate are asked even if the request is refused.
    if (result.question !== undefined || parts.length === 0 || isGated) return result;
    return { ...result, ...(await openBesides()) };
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'INVALID_INPUT') throw error;
    ports.log.warn('questions refused', { agent: asker.agent, origin: asker.origin, error: error.message });
    return { refused: { code: error.code, message: error.message, details: error.details } };
  }
}

async function askFromOutside(ports: AskHumansPorts, request: AskHumansRequest): Promise<Question> {
  const { questions: entries, runId, phase, beside, isGuest = false, ...rest } = request;
  const { issueNumber, agent, chain, sourceId } = request;
  const questions = parseWith(z.array(z.unknown()), entries, 'questions');
  await requireIssue(ports, parseIssueNumber(issueNumber));
  await requireNotClosed(ports, issueNumber);
  if (!isGuest) requireKnownAgent(ports.agents, agent);
  const batch = parseAsked(questions, beside ?? rest, defaultsOf(ports));
  const { parts, ...settings } = batch;
  const origin = await originFor(ports, request.origin, batch);
  if (parseAgentName(agent) !== GATED_AGENT) {
    const { fallback: _, ...others } = rest;
    const ready = { ...others, origin, ...settings, ...fallbackOf(parts), parts: ownFallbacks(parts), attach: true };
    return (await askHumans(ports, ready)).question;
  }
  const where = { ...(chain && { chain }), ...(runId && { runId }), ...(phase && { phase }) };
  const asker = { origin, issueNumber, agent, ...where };
  const { question, refused, assumption } = await askPastGate(ports, asker, sourceId, {
    said: parts[0],
    around: batch,
    questions: parts.length,
    beside: { parts: [], blocking: true, consequence: 'reversible' },
  });
  if (question !== undefined) return question;
  throw new AgentXError(refused?.code ?? 'GATE_REFUSED', refused?.message ?? 'The gate refuses the request.', {
    ...refused?.details,
    assumptionId: assumption?.id,
  });
}

/**
 * The same words are the same question; but if it cannot be undone, an earlier one that can be must not decide it.
 */
async function originFor(
  { store }: Pick<AskHumansPorts, 'store'>,
  origin: string,
  { consequence }: Pick<AskedQuestions, 'consequence'>,
): Promise<string> {
  const earlierQuestion = await store.questions.read(questionIdFor(origin));
  if (consequence !== 'irreversible' || earlierQuestion?.consequence !== 'reversible') return origin;
  return originFor({ store }, againOrigin({ id: earlierQuestion.id, origin }), { consequence });
}

/** Its questions would end as superseded at once. */
async function requireNotClosed({ store }: Pick<AskHumansPorts, 'store'>, issueNumber: number): Promise<void> {
  const issue = issueNumber === 0 ? undefined : await store.issues.read(issueNumber);
  if (issue?.state !== 'closed') return;
  throw new AgentXError('INVALID_STATE', `Issue #${issueNumber} is closed: nobody waits for an answer.`, {
    issueNumber,
  });
}

function defaultsOf(ports: Pick<AskHumansPorts, 'clock'>) {
  let count = 0;
  return { makeId: () => `q${++count}`, now: () => ports.clock.now() };
}

/** A planning request: if it passes the gate it is a question, otherwise the agent decides by itself. */
async function askPastGate(
  ports: AskHumansPorts,
  { runId, phase, ...asker }: Asker,
  sourceId = String(asker.issueNumber),
  requested: Requested,
): Promise<AskedHumans> {
  const { origin, issueNumber, agent } = asker;
  const { questions, beside } = requested;
  const questionId = questionIdFor(origin);
  const session = runId ?? `run-${questionId.slice('oq-'.length)}`;
  const request = readRequest(agent, requested);
  const gateRequest = { issueNumber, agent, request, questions, session, questionId, ...(phase && { phase }) };
  const earlierQuestion = await ports.store.questions.read(questionId);
  const failedConditions = earlierQuestion === undefined ? await passGate(ports, gateRequest) : [];
  if (failedConditions.length > 0) {
    ports.log.info('gate refused', { agent, issueNumber, failed: failedConditions });
    const assumption = await decideOnce(ports, asker, decisionAlone(agent, request, failedConditions));
    return { refused: refusalOf(agent, failedConditions), assumption };
  }
  const parts = partsOf(request, beside, ports.clock.now());
  const ready: ReadyAsking = {
    ...asker,
    kind: 'pm_clarification',
    source: 'pm',
    sourceId,
    parts: ownFallbacks(parts),
    consequence: [request.consequence, beside.consequence].includes('irreversible') ? 'irreversible' : 'reversible',
    ...fallbackOf(parts),
    details: { session, blocker_type: blockerOf(request) ?? 'none', evidence: request.evidence },
  };
  const { question } = await askHumans(ports, ready).catch(async (error: unknown) => {
    // After any other error it may have been written.
    if (error instanceof AgentXError && error.code === 'INVALID_INPUT') await releaseClaim(ports, gateRequest);
    throw error;
  });
  await completeSession(ports, question);
  return { question };
}

/** An agent that asks the same in several turns has decided it once. */
async function decideOnce(
  ports: Pick<AskHumansPorts, 'store' | 'clock'>,
  { origin, issueNumber, agent }: Asker,
  decision: Decision,
): Promise<Assumption> {
  const { assumptions_made } = await ports.store.assumptions.read(issueNumber);
  const earlierAssumption = assumptions_made.find(
    (other) => other.decision === decision.decision && other.agent === agent && isSameCause(other.origin, origin),
  );
  return earlierAssumption ?? keepAssumption(ports, { origin: refusedOrigin(origin), issueNumber, agent, decision });
}

const SOURCES: Readonly<Record<string, QuestionSource>> = {
  analyst: 'eval',
  dreamer: 'prd',
  'product-manager': 'prd',
  'requirements-engineer': 'prd',
  'ux-designer': 'prd',
  planner: 'plan',
  architect: 'plan',
  'project-manager': 'pm',
};

/** The table of 004; what the reply says of itself takes precedence, and what was to be answered comes before both. */
function sourceOf({ agent, reply, issueNumber, clarificationId }: ReplyAsking) {
  if (clarificationId !== undefined) return { source: 'clarification' as const, sourceId: clarificationId };
  const source = reply.source?.kind ?? (Object.hasOwn(SOURCES, agent) ? SOURCES[agent] : undefined) ?? 'execute';
  return { source, sourceId: reply.source?.id ?? String(issueNumber) };
}

/** In turn: of two agents that ask "are you sure?", the second finds that it was asked. */
function askOpenQuestions(
  ports: BasePorts & Pick<AskHumansPorts, 'projectId' | 'settings' | 'signal'>,
  asking: ReplyAsking,
  { parts, ...settings }: AskedQuestions,
): Promise<AskedHumans> {
  const { origin, issueNumber, agent, chain, reply } = asking;
  const cycle = sourceOf(asking);
  return inTurn(ports, issueNumber, async () => {
    const earlierQuestion = await ports.store.questions.read(questionIdFor(origin));
    // An irreversible decision is never settled by an earlier yes.
    const isGrave = settings.consequence === 'irreversible';
    const confirmation =
      earlierQuestion === undefined && !isGrave ? await confirmationIn(ports, issueNumber, cycle) : undefined;
    const batch = isGrave ? withoutRepeats(parts) : withOneConfirmation(parts, confirmation !== undefined);
    const shownParts = earlierQuestion?.questions ?? ownFallbacks(batch);
    if (shownParts.length === 0 && confirmation !== undefined) return { question: confirmation };
    const question = await open(ports, {
      origin,
      issueNumber,
      agent,
      ...(chain && { chain }),
      ...cycle,
      parts: shownParts,
      attach: true,
      blocksTask: blocksTask(reply, cycle.source),
      ...fallbackOf(batch),
      ...settings,
    });
    return { question };
  });
}

/** "Are you sure?" is asked at most once for each piece of feedback. */
async function confirmationIn(
  ports: Pick<AskHumansPorts, 'store'>,
  issueNumber: number,
  { source, sourceId }: ReturnType<typeof sourceOf>,
): Promise<Question | undefined> {
  const { items } = await ports.store.questions.list({ issue: issueNumber });
  return items.find(
    (question) =>
      question.source === source &&
      question.sourceId === sourceId &&
      !isUndecided(question) &&
      question.questions.some(isConfirmation),
  );
}

function withOneConfirmation(parts: readonly QuestionPart[], hasOne: boolean): readonly QuestionPart[] {
  const first = hasOne ? undefined : parts.find(isConfirmation);
  return withoutRepeats(parts.filter((part) => part === first || !isConfirmation(part)));
}

/** Writes the question, or joins the one that says the same. With `attach`, the caller has the issue's turn. */
async function open(
  ports: BasePorts & Pick<AskHumansPorts, 'projectId' | 'settings'>,
  asking: ReadyAsking,
): Promise<Question> {
  const { agent, origin, parts, attach: mayAttach = false } = asking;
  if (parts.length === 0) throw new AgentXError('INVALID_INPUT', `'${agent}' asks nothing.`, { agent, origin });
  const earlierQuestion = await ports.store.questions.read(questionIdFor(origin));
  const existingQuestion = earlierQuestion ?? (mayAttach ? await sameQuestion(ports, asking) : undefined);
  const question =
    (existingQuestion && (await attach(ports, existingQuestion, asking))) ??
    (await createQuestion(ports, questionOf(ports, asking)));
  if (question.blocksTask === true && question.status === 'open') await blockTask(ports, question);
  return question;
}

function questionOf(ports: Pick<AskHumansPorts, 'clock' | 'projectId' | 'settings'>, asking: ReadyAsking) {
  const { origin, issueNumber, chain, kind = 'open_question', source, sourceId, parts, fallback } = asking;
  const agent = parseAgentName(asking.agent);
  const { consequence = 'reversible', blocking = true, blocksTask: isBlocked, details } = asking;
  const createdAt = ports.clock.now();
  const expiresAt = new Date(toEpochMs(createdAt) + ports.settings.fallbackMs).toISOString();
  return {
    id: questionIdFor(origin),
    projectId: ports.projectId,
    issueNumber,
    kind,
    source,
    sourceId,
    askedBy: { agent, chain: chain ?? [agent] },
    questions: parts,
    blocking,
    consequence,
    ...(fallback === undefined ? {} : { fallback, expiresAt }),
    createdAt,
    origin,
    ...(isBlocked === true && { blocksTask: isBlocked }),
    ...details,
  };
}

/** Superseded and unreachable ones decided nothing. */
const isUndecided = ({ outcome }: Question): boolean => outcome === 'superseded' || outcome === 'unreachable';

async function sameQuestion(
  ports: Pick<AskHumansPorts, 'store'>,
  { origin, issueNumber, parts, consequence }: ReadyAsking,
): Promise<Question | undefined> {
  const { items } = await ports.store.questions.list({ issue: issueNumber });
  const questions = items.filter(({ kind }) => kind === 'open_question' || kind === 'pm_clarification');
  const isDecidedHere = (question: Question) => !isUndecided(question) && isSameCause(question.origin, origin);
  // The fallback of a reversible question must not decide an irreversible one.
  const sameQuestions = questions.filter(
    (question) =>
      (consequence !== 'irreversible' || question.consequence === 'irreversible') && asksTheSame(question, parts),
  );
  return (
    questions.find((question) => hasOrigin(question, origin)) ??
    sameQuestions.find(({ status }) => status === 'open') ??
    sameQuestions.find(isDecidedHere)
  );
}

/** Undefined if the question of the other agent has ended in this moment without a decision. */
async function attach(
  ports: Pick<AskHumansPorts, 'store'>,
  { id }: Question,
  asking: ReadyAsking,
): Promise<Question | undefined> {
  const { origin, agent, blocking = true, blocksTask: isBlocked = false } = asking;
  return ports.store.questions.update<Question | undefined>(id, (question) => {
    if (isUndecided(question) && !hasOrigin(question, origin)) return { next: question, result: undefined };
    const next = noteAttached(question, { origin, agent, blocking, blocksTask: isBlocked });
    return { next, result: next };
  });
}
