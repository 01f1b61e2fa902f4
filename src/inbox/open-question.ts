import { createQuestion } from '../hub/change-question.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName, parseIssueNumber, questionIdFor } from '../protocol/ids.js';
import { MAX_LOCK_WAIT_MS } from '../protocol/limits.js';
import { isSameCause } from '../protocol/origin.js';
import type { Question, QuestionFallback, QuestionKind, QuestionPart, QuestionSource } from '../protocol/question.js';
import { hasOrigin, noteAttached } from '../protocol/question-notes.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { blockTask } from './block-task.js';
import type { InboxPorts } from './ports.js';
import { asksTheSame } from './same-question.js';

export interface OpenQuestionsRequest {
  /** What caused it: the question's id is derived from this. */
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  /** Who asked whom to ask, outermost first; the agent alone where nothing is said. */
  readonly chain?: readonly string[];
  readonly kind?: QuestionKind;
  readonly source: QuestionSource;
  readonly sourceId: string;
  readonly parts: readonly QuestionPart[];
  readonly blocking?: boolean;
  readonly consequence?: Question['consequence'];
  /** Taken when nobody answers in time; only for what is reversible. */
  readonly fallback?: QuestionFallback;
  /** The issue is blocked and nobody's until the question ends. */
  readonly blocksTask?: boolean;
  /** An agent's own question: if the same was asked before, it waits for that answer. */
  readonly attach?: boolean;
  readonly details?: Pick<Question, 'session' | 'blocker_type' | 'evidence' | 'proposal'>;
}

/**
 * Asks a human, once for each origin. With `attach`, what says the same as an open question of the issue, or as one that
 * was decided in the same run, waits for that answer: nobody is asked twice.
 */
export async function openQuestions(ports: InboxPorts, request: OpenQuestionsRequest): Promise<Question> {
  parseIssueNumber(request.issueNumber);
  if (request.attach !== true) return openInTurn(ports, request);
  // Of agents that ask the same at the same moment the second finds what the first asked.
  return inTurn(ports, request.issueNumber, () => openInTurn(ports, request));
}

/**
 * One after the other for each issue, in all processes: those who look whether something was asked, and ask it if not.
 * `work` must not wait for another turn of the same issue.
 */
export async function inTurn<R>(
  { store, signal }: InboxPorts,
  issueNumber: number,
  work: () => Promise<R>,
): Promise<R> {
  const claim = await store.claim({ asking: issueNumber }, { waitMs: MAX_LOCK_WAIT_MS, signal });
  try {
    return await work();
  } finally {
    await claim.release();
  }
}

/** The same for somebody who has the issue's turn already. */
export async function openInTurn(ports: InboxPorts, request: OpenQuestionsRequest): Promise<Question> {
  const { agent, origin, parts, attach: mayAttach = false } = request;
  if (parts.length === 0) throw new AgentXError('INVALID_INPUT', `'${agent}' asks nothing.`, { agent, origin });
  const known = await ports.store.questions.read(questionIdFor(origin));
  const same = known ?? (mayAttach ? await sameQuestion(ports, request) : undefined);
  const question =
    same === undefined ? await createQuestion(ports, questionOf(ports, request)) : await attach(ports, same, request);
  if (question.blocksTask === true && question.status === 'open') await blockTask(ports, question);
  return question;
}

function questionOf(ports: InboxPorts, request: OpenQuestionsRequest) {
  const { origin, issueNumber, chain, kind = 'open_question', source, sourceId, parts, fallback } = request;
  const agent = parseAgentName(request.agent);
  const { consequence = 'reversible', blocking = true, blocksTask, details } = request;
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
    ...(blocksTask === true && { blocksTask }),
    ...details,
  };
}

/** Superseded and unreachable ones decided nothing. */
const DECIDED = ['answered', 'declined', 'dismissed', 'fallback_applied'];

async function sameQuestion(
  ports: InboxPorts,
  { origin, issueNumber, parts }: OpenQuestionsRequest,
): Promise<Question | undefined> {
  const { items } = await ports.store.questions.listOfIssue(issueNumber);
  const asked = items.filter(({ kind }) => kind === 'open_question' || kind === 'pm_clarification');
  const isDecidedHere = ({ outcome, origin: other }: Question) =>
    outcome !== undefined && DECIDED.includes(outcome) && isSameCause(other, origin);
  return (
    asked.find((question) => hasOrigin(question, origin)) ??
    asked.find((question) => question.status === 'open' && asksTheSame(question, parts)) ??
    asked.find((question) => isDecidedHere(question) && asksTheSame(question, parts))
  );
}

async function attach(ports: InboxPorts, { id }: Question, request: OpenQuestionsRequest): Promise<Question> {
  const { origin, agent, blocksTask = false } = request;
  return ports.store.questions.update(id, (question) => {
    const next = noteAttached(question, { origin, agent, blocksTask });
    return { next, result: next };
  });
}
