import { pause } from '../hub/agent-turn.js';
import { keepAssumption } from '../inbox/assumptions.js';
import { GATED_AGENT, lacksFindings } from '../inbox/gate.js';
import { requestOf } from '../protocol/asks-humans.js';
import { makeSessionId, questionIdFor } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { type PlanningRequest, readNeedsClarification } from '../protocol/needs-clarification.js';
import { actName } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import type { SessionTurn } from '../protocol/session.js';
import { fitInto } from '../protocol/shorten.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { originOf, type RunContext, readIssue, stepPayload } from './context.js';
import { type Inquiry, investigationBrief } from './investigation-brief.js';
import type { TurnPort } from './ports.js';
import { type Carrying, part } from './reply-part.js';
import { endSession } from './session-end.js';
import { keepTurn } from './session-turns.js';
import { turnWith } from './turn-with.js';

/*
 * Before a planner's request about a complex issue reaches the gate, an investigator takes a turn of its own: it may
 * find the answer, and then no human is asked; otherwise its findings are the evidence that the gate requires. Its turn
 * has a session of its own, which a killed run finds again.
 */

/** An agent only if config.toml has a table for it. */
const INVESTIGATOR = 'investigator';

export interface Investigated {
  /** The reply for the inbox: with the findings, or without what needs no human any more. */
  readonly reply: Reply;
  readonly acts: readonly ActResult[];
}

export async function investigate(context: RunContext<TurnPort>, carrying: Carrying): Promise<Investigated> {
  const { reply } = carrying;
  const rawRequest = requestOf(reply);
  const { agents, runnerFor } = context.ports;
  if (rawRequest === undefined || !agents.includes(INVESTIGATOR) || runnerFor(INVESTIGATOR).isHuman) {
    return { reply, acts: [] };
  }
  const request = readNeedsClarification(rawRequest, reply);
  const result = await findings(context, carrying, request);
  if (result?.answer !== undefined && result.answer.trim() !== '') {
    const { needs_clarification: _, text: __, ...rest } = reply;
    return { reply: rest, acts: [await accept(context, carrying, { request, found: result, answer: result.answer })] };
  }
  if (result?.text === undefined) return { reply, acts: [] };
  const evidence = { ...request.evidence, investigator_findings: cut(result.text) };
  return { reply: { ...reply, needs_clarification: { ...request, evidence } }, acts: [] };
}

/** Undefined if there was nothing to find out, or the investigator failed: then the gate decides. */
async function findings(
  context: RunContext<TurnPort>,
  carrying: Carrying,
  request: PlanningRequest,
): Promise<Reply | undefined> {
  const { ports, runId } = context;
  const { place, step } = carrying;
  const id = `${step.id}/investigation`;
  // Each request has its own session, numbered by the turn that made it.
  const sessionId = makeSessionId(runId, id, place.turn);
  const session = await ports.store.sessions.read(sessionId);
  if (session === undefined && !(await isWorthIt(context, carrying, request))) return undefined;
  const title = `Find out: ${request.question}`;
  const inquiry = { place, from: step.agent, request, step: { ...step, id, title, agent: INVESTIGATOR } };
  const keptTurn = (turn: number) => session?.turns.find((one) => one.turn === turn);
  let sessionTurn = keptTurn(1) ?? (await ask(context, inquiry, 1));
  if (sessionTurn.reply === undefined) sessionTurn = keptTurn(2) ?? (await askAgain(context, inquiry));
  await endSession(ports, sessionId, context.journal.run);
  return sessionTurn.reply;
}

async function isWorthIt(
  context: RunContext<'store' | 'paths'>,
  { place, step, reply }: Carrying,
  request: PlanningRequest,
) {
  const { ports, issueNumber, runId } = context;
  const { open_questions = [], openQuestions = [] } = reply;
  const otherQuestions = step.agent === GATED_AGENT ? open_questions.length + openQuestions.length : 0;
  return lacksFindings(ports, {
    issueNumber,
    agent: step.agent,
    request,
    questions: 1 + otherQuestions,
    session: runId,
    questionId: questionIdFor(originOf(context, place, actName('question', 0))),
    phase: context.journal.run.phase,
  });
}

async function ask(context: RunContext<TurnPort>, inquiry: Inquiry, turn: number): Promise<SessionTurn> {
  const { step, place } = inquiry;
  const brief = await investigationBrief(context, inquiry, turn);
  const newTurn = await turnWith(context, step, { brief, turn, attempt: place.turn });
  const keptTurn = await keepTurn(context, step, {
    place: { step: step.id, attempt: place.turn, turn },
    sessionTurn: newTurn,
  });
  await tell(context, inquiry, keptTurn);
  return keptTurn;
}

async function askAgain(context: RunContext<TurnPort>, inquiry: Inquiry): Promise<SessionTurn> {
  await pause(context.ports, context.ports.retryMs);
  return ask(context, inquiry, 2);
}

/** Viewers see a step of its own. */
async function tell(
  context: RunContext<'store' | 'bus' | 'clock'>,
  { step }: Inquiry,
  { turn, reply, error = '', ...times }: SessionTurn,
) {
  const { bus } = context.ports;
  const payload = stepPayload(context, step, await readIssue(context));
  const durationMs = Math.max(0, toEpochMs(times.endedAt) - toEpochMs(times.startedAt));
  if (reply === undefined) {
    bus.emit('turn-failed', { ...payload, turn, error, durationMs });
    return;
  }
  const { text = reply.answer ?? '' } = reply;
  bus.emit('turn-ended', { ...payload, turn, text, artifacts: [], refused: [], durationMs });
  bus.emit('step-ended', { ...payload, outcome: 'done' });
}

interface Finding {
  readonly request: PlanningRequest;
  readonly found: Reply;
  readonly answer: string;
}

/** The finding is a decision without a human: it is recorded, and the asker goes on with it. */
function accept(
  context: RunContext<'store' | 'clock' | 'log'>,
  { place, step }: Carrying,
  { request, found, answer }: Finding,
) {
  const { ports, issueNumber } = context;
  const act = actName('investigation', 0);
  return part(context, act, {
    blocking: true,
    work: async () => {
      const { id } = await keepAssumption(ports, {
        origin: originOf(context, place, act),
        issueNumber,
        agent: step.agent,
        decision: {
          decision: cut(`${request.question} ${answer}`),
          blocker_type: 'none',
          user_response: 'inferred_from_investigation',
          reasoning: cut(found.text ?? `The ${INVESTIGATOR} found the answer.`),
          confidence: 'medium',
          risk_if_wrong: `medium - what ${step.agent} builds on it may have to be reworked`,
        },
      });
      return {
        blocking: true,
        found: { by: INVESTIGATOR, question: request.question, answer: cut(answer) },
        ...(id === undefined ? {} : { assumptionId: id }),
      };
    },
  });
}

const cut = (text: string): string => fitInto(text.trim(), MAX_ANSWER_CHARACTERS);
