import * as z from 'zod/mini';
import { BlockerType } from './assumption.js';
import { Consequence } from './consequence.js';
import { Evidence } from './evidence.js';
import { AgentName, AssumptionId, IssueNumber, QuestionId, RunId } from './ids.js';
import type { Shape } from './shape.js';
import { isBefore, Timestamp, toEpochMs } from './timestamp.js';

export const QuestionKind = z.enum([
  'open_question',
  'pm_clarification',
  'escalation',
  'approval',
  'agent_failed',
  'late_answer',
]);
export type QuestionKind = z.infer<typeof QuestionKind>;

export const QuestionSource = z.enum(['eval', 'prd', 'plan', 'execute', 'clarification', 'pm']);
export type QuestionSource = z.infer<typeof QuestionSource>;

export const QuestionOutcome = z.enum([
  'answered',
  'declined',
  'dismissed',
  'fallback_applied',
  'superseded',
  'unreachable',
]);
export type QuestionOutcome = z.infer<typeof QuestionOutcome>;

const Id = z.string().check(z.minLength(1), z.maxLength(64));

export const QuestionOption = z.looseObject({
  id: Id,
  label: z.string(),
  description: z.exactOptional(z.string()),
  recommended: z.exactOptional(z.boolean()),
  /** Arguments for and against it, if it is a trade-off. */
  pros: z.exactOptional(z.array(z.string())),
  cons: z.exactOptional(z.array(z.string())),
});
export type QuestionOption = Shape<typeof QuestionOption>;

export const QuestionFallback = z.looseObject({
  optionId: z.exactOptional(z.string()),
  text: z.exactOptional(z.string()),
  reasoning: z.exactOptional(z.string()),
  risk: z.exactOptional(z.string()),
});
export type QuestionFallback = Shape<typeof QuestionFallback>;

export const QuestionPart = z.looseObject({
  id: Id,
  text: z.string(),
  createdAt: z.exactOptional(Timestamp),
  header: z.exactOptional(z.string()),
  multiSelect: z.exactOptional(z.boolean()),
  allowText: z.exactOptional(z.boolean()),
  options: z.exactOptional(z.array(QuestionOption)),
  /** Text alone decides nothing here: it needs one of the options. */
  mustChoose: z.exactOptional(z.boolean()),
  /** For one part among several: its choice when the question as a whole falls back. */
  fallback: z.exactOptional(QuestionFallback),
});
export type QuestionPart = Shape<typeof QuestionPart>;

/** Provenance: who, on which surface, by what right, and which revision of the question they saw. */
export const AnsweredBy = z.looseObject({
  principal: z.string(),
  channel: z.enum(['cli', 'web', 'vscode', 'github', 'mcp', 'timeout']),
  authority: z.exactOptional(z.string()),
  revision: z.exactOptional(z.int()),
});
export type AnsweredBy = Shape<typeof AnsweredBy>;

export const QuestionResponse = z.looseObject({
  questionId: z.string(),
  answer: z.exactOptional(z.string()),
  optionIds: z.exactOptional(z.array(z.string())),
  /** Present if the person or the surface differs from that of the question as a whole. */
  answeredBy: z.exactOptional(AnsweredBy),
});
export type QuestionResponse = Shape<typeof QuestionResponse>;

const LateResponse = z.looseObject({ responses: z.array(QuestionResponse), answeredBy: AnsweredBy, at: Timestamp });

/** What a person has typed and not sent; kept whatever becomes of the question. */
const Draft = z.looseObject({
  principal: z.string(),
  responses: z.array(QuestionResponse),
  at: Timestamp,
  /** A person who writes in two places has two drafts, each with its own name. */
  version: z.exactOptional(z.string()),
  /** The versions that this one was made from: a page that shows one of them may show this one instead. */
  replaces: z.exactOptional(z.array(z.string())),
});
export type Draft = Shape<typeof Draft>;

/** For a late_answer: the work that rests on an assumption which a human contradicts. */
export const Rework = z.looseObject({
  assumptionId: z.exactOptional(AssumptionId),
  questionId: z.exactOptional(QuestionId),
  /** The part of that question which was answered late. */
  part: z.exactOptional(z.string()),
  /** The human's answer. */
  answer: z.string(),
  artifacts: z.array(z.string()),
  runs: z.array(z.looseObject({ runId: RunId, steps: z.array(z.string()) })),
});
export type Rework = Shape<typeof Rework>;

export const Question = z
  .looseObject({
    id: QuestionId,
    projectId: z.string(),
    issueNumber: IssueNumber,
    kind: QuestionKind,
    source: QuestionSource,
    sourceId: z.string(),
    askedBy: z.looseObject({ agent: AgentName, chain: z.array(AgentName) }),
    questions: z.array(QuestionPart).check(z.minLength(1)),
    blocking: z.boolean(),
    consequence: Consequence,
    fallback: z.exactOptional(QuestionFallback),
    expiresAt: z.exactOptional(Timestamp),
    status: z.enum(['open', 'resolved']),
    outcome: z.exactOptional(QuestionOutcome),
    responses: z.exactOptional(z.array(QuestionResponse)),
    lateResponses: z.exactOptional(z.array(LateResponse)),
    /** Parts for which a human kept the assumption: their late answer does not apply. */
    kept: z.exactOptional(z.array(z.string())),
    answeredBy: z.exactOptional(AnsweredBy),
    /** Why it was superseded, or why no person could be asked. */
    reason: z.exactOptional(z.string()),
    createdAt: Timestamp,
    resolvedAt: z.exactOptional(Timestamp),
    /** Its cause, such as one act of a reply: asking again gives the same question. */
    origin: z.exactOptional(z.string()),
    /** Other agents that asked the same: they wait for this answer. */
    attached: z.exactOptional(z.array(z.looseObject({ origin: z.string(), agent: AgentName }))),
    /** Turns in which an agent that asked it got the answer: it needs no other turn for that. */
    heard: z.exactOptional(z.array(z.string())),
    /** The issue is blocked and unassigned until it ends (the execute flow of 004). */
    blocksTask: z.exactOptional(z.boolean()),
    /** For a pm_clarification: the session that asked, why it could not decide, and what it tried. */
    session: z.exactOptional(RunId),
    blocker_type: z.exactOptional(BlockerType),
    evidence: z.exactOptional(Evidence),
    /** For an approval. */
    proposal: z.exactOptional(
      z.looseObject({ kind: z.enum(['scope', 'architecture', 'dependency']), summary: z.string() }),
    ),
    rework: z.exactOptional(Rework),
    typing: z.exactOptional(z.looseObject({ principal: z.string(), at: Timestamp, heldMs: z.number() })),
    drafts: z.exactOptional(z.array(Draft)),
    /** A person wants no reminder before this time. The deadline stays. */
    snoozed: z.exactOptional(z.looseObject({ until: Timestamp, principal: z.string() })),
    /** Something that follows from its last change may not be done yet. */
    unsettled: z.exactOptional(z.boolean()),
    revision: z.int().check(z.gte(1)),
  })
  .check(
    z.refine((question) => question.fallback === undefined || question.consequence === 'reversible', {
      path: ['fallback'],
      message: 'is allowed only on a reversible question',
    }),
    z.refine((question) => question.expiresAt === undefined || question.fallback !== undefined, {
      path: ['expiresAt'],
      message: 'is allowed only together with a fallback',
    }),
    z.refine((question) => (question.status === 'resolved') === (question.outcome !== undefined), {
      path: ['outcome'],
      message: 'belongs to a resolved question, and every resolved question has one',
    }),
  );
export type Question = Shape<typeof Question>;

export type QuestionState = 'open' | QuestionOutcome;

export function stateOf(question: Pick<Question, 'status' | 'outcome'>): QuestionState {
  return question.status === 'open' ? 'open' : (question.outcome ?? 'answered');
}

/** Whether the declared fallback is due: the first process that notices sends `expire`. */
export function isExpired(question: Pick<Question, 'status' | 'expiresAt'>, at: string): boolean {
  return question.status === 'open' && question.expiresAt !== undefined && !isBefore(at, question.expiresAt);
}

const MILLISECONDS = '2026-02-26T10:00:00.000Z';

type Created = Pick<Question, 'createdAt' | 'id'>;

/** Oldest first; the id decides between two of the same instant, so that a list never jumps. */
export function byCreation(left: Created, right: Created): number {
  return compareTimes(left.createdAt, right.createdAt) || (left.id < right.id ? -1 : 1);
}

/**
 * Times in the same spelling, as nearly all are, compare as text: parsing dates would dominate lists of thousands. Pages
 * go by milliseconds, so finer times are read, too.
 */
function compareTimes(left: string, right: string): number {
  const isSpeltAlike =
    left.length === right.length && left.length <= MILLISECONDS.length && left.endsWith('Z') && right.endsWith('Z');
  if (!isSpeltAlike) return toEpochMs(left) - toEpochMs(right);
  return left === right ? 0 : left < right ? -1 : 1;
}
