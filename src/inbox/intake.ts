import { requestOf } from '../protocol/asks-humans.js';
import { AgentXError } from '../protocol/errors.js';
import { questionIdFor } from '../protocol/ids.js';
import { type AskedQuestions, askedIn } from '../protocol/open-questions.js';
import type { Question, QuestionPart, QuestionSource } from '../protocol/question.js';
import { blocksTask } from './fail-early.js';
import { fallbackOf, ownFallbacks } from './fallbacks-of-parts.js';
import { inTurn, openInTurn } from './open-question.js';
import type { InboxPorts } from './ports.js';
import type { ReplyQuestions, TakenQuestions } from './reply-questions.js';
import { isConfirmation, withoutRepeats } from './same-question.js';
import { takeRequest } from './take-request.js';

/** Whoever plans the work asks past the gate, whatever form it asks in. */
export const GATED_AGENT = 'project-manager';

/** The questions of a reply, asked once for each origin. What cannot be asked is refused, never dropped in silence. */
export async function takeReplyQuestions(ports: InboxPorts, taken: ReplyQuestions): Promise<TakenQuestions> {
  try {
    const asked = askedIn(taken.reply, defaultsOf(ports));
    const { parts } = asked;
    const requested = requestOf(taken.reply);
    if (parts.length === 0 && requested === undefined) return {};
    if (requested === undefined && taken.agent !== GATED_AGENT) return await takeOpenQuestions(ports, taken, asked);
    const isGated = taken.agent === GATED_AGENT;
    const { reply, clarificationId: _, ...asking } = taken;
    const sourceId = reply.source?.id;
    const result = await takeRequest(ports, sourceId === undefined ? asking : { ...asking, sourceId }, {
      said: requested ?? parts[0],
      around: requested === undefined ? asked : reply,
      questions: (requested === undefined ? 0 : 1) + (isGated ? parts.length : 0),
      beside: isGated ? { ...asked, parts: [], consequence: 'reversible' } : asked,
    });
    // Questions of its own that need no gate are asked even if the request is refused.
    if (result.question !== undefined || parts.length === 0 || isGated) return result;
    return { ...result, ...(await takeOpenQuestions(ports, taken, asked)) };
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'INVALID_INPUT') throw error;
    ports.log.warn('questions refused', { agent: taken.agent, origin: taken.origin, error: error.message });
    return { refused: { code: error.code, message: error.message, details: error.details } };
  }
}

function defaultsOf(ports: InboxPorts) {
  let made = 0;
  return { makeId: () => `q${++made}`, now: () => ports.clock.now() };
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

/** 004's table; what the reply says of itself wins, and what was to be answered comes before both. */
function sourceOf({ agent, reply, issueNumber, clarificationId }: ReplyQuestions) {
  if (clarificationId !== undefined) return { source: 'clarification' as const, sourceId: clarificationId };
  const source = reply.source?.kind ?? (Object.hasOwn(SOURCES, agent) ? SOURCES[agent] : undefined) ?? 'execute';
  return { source, sourceId: reply.source?.id ?? String(issueNumber) };
}

/** In turn: of two who ask whether somebody is sure, the second finds that it was asked. */
function takeOpenQuestions(ports: InboxPorts, taken: ReplyQuestions, asked: AskedQuestions): Promise<TakenQuestions> {
  return inTurn(ports, taken.issueNumber, () => takeInTurn(ports, taken, asked));
}

async function takeInTurn(
  ports: InboxPorts,
  taken: ReplyQuestions,
  { parts, ...settings }: AskedQuestions,
): Promise<TakenQuestions> {
  const { origin, issueNumber, agent, chain, reply } = taken;
  const cycle = sourceOf(taken);
  const known = await ports.store.questions.read(questionIdFor(origin));
  // What cannot be taken back is never settled by an earlier yes.
  const isGrave = settings.consequence === 'irreversible';
  const confirmed = known === undefined && !isGrave ? await confirmationIn(ports, issueNumber, cycle) : undefined;
  const batch = isGrave ? withoutRepeats(parts) : withOneConfirmation(parts, confirmed !== undefined);
  const asked = known?.questions ?? ownFallbacks(batch);
  if (asked.length === 0 && confirmed !== undefined) return { question: confirmed };
  const question = await openInTurn(ports, {
    origin,
    issueNumber,
    agent,
    ...(chain && { chain }),
    ...cycle,
    parts: asked,
    attach: true,
    blocksTask: blocksTask(reply, cycle.source),
    ...fallbackOf(batch),
    ...settings,
  });
  return { question };
}

/** "Are you sure?" is asked at most once for each piece of feedback. */
async function confirmationIn(
  ports: InboxPorts,
  issueNumber: number,
  { source, sourceId }: ReturnType<typeof sourceOf>,
): Promise<Question | undefined> {
  const { items } = await ports.store.questions.listOfIssue(issueNumber);
  return items.find(
    (question) =>
      question.source === source && question.sourceId === sourceId && question.questions.some(isConfirmation),
  );
}

function withOneConfirmation(parts: readonly QuestionPart[], hasOne: boolean): readonly QuestionPart[] {
  const first = hasOne ? undefined : parts.find(isConfirmation);
  return withoutRepeats(parts.filter((part) => part === first || !isConfirmation(part)));
}
