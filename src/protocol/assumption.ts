import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { AgentName, AssumptionId, IssueNumber, makeAssumptionId, parseAssumptionId, QuestionId } from './ids.js';
import { isObject } from './is-object.js';
import { MAX_ANSWER_CHARACTERS } from './limits.js';
import { type Paging, pageOf, positionOf } from './page.js';
import { requireText } from './parse.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/*
 * An assumption is `standing` until a human confirms or rejects it; both are final. Only a human who has work done again
 * with another answer overturns a confirmed one: then it is rejected. One without a status, as in 002, is standing.
 */

export const BlockerType = z.enum([
  'none',
  'mutually_exclusive_requirements',
  'missing_external_data',
  'security_decision',
]);
export type BlockerType = z.infer<typeof BlockerType>;

export const AssumptionStatus = z.enum(['standing', 'confirmed', 'rejected']);
export type AssumptionStatus = z.infer<typeof AssumptionStatus>;

/** The first six fields are those of 002; the rest is ours and may be absent in files of other programs. */
export const Assumption = z.looseObject({
  decision: z.string(),
  blocker_type: BlockerType,
  user_response: z.string(),
  reasoning: z.string(),
  confidence: z.enum(['high', 'medium', 'low']),
  risk_if_wrong: z.string(),
  id: z.exactOptional(AssumptionId),
  issueNumber: z.exactOptional(IssueNumber),
  agent: z.exactOptional(AgentName),
  questionId: z.exactOptional(QuestionId),
  /** Its cause, such as one act of a reply: recording it again gives the same assumption. */
  origin: z.exactOptional(z.string()),
  artifacts: z.exactOptional(z.array(z.string())),
  status: z.exactOptional(AssumptionStatus),
  createdAt: z.exactOptional(Timestamp),
  decidedAt: z.exactOptional(Timestamp),
  decidedBy: z.exactOptional(z.string()),
  rejection: z.exactOptional(z.string()),
  /** It is decided, and the verdict is not remembered yet. */
  unsettled: z.exactOptional(z.boolean()),
});
export type Assumption = Shape<typeof Assumption>;

export const AssumptionFile = z
  .looseObject({
    issueNumber: IssueNumber,
    assumptions_made: z.array(Assumption),
    lastSequence: z.exactOptional(z.int().check(z.gte(0))),
  })
  .check((context) => {
    const usedIds = new Set<string>();
    context.value.assumptions_made.forEach(({ id }, index) => {
      if (id === undefined) return;
      if (usedIds.has(id)) {
        const path = ['assumptions_made', index, 'id'];
        context.issues.push({ code: 'custom', message: `repeats ${id}`, input: id, path });
      }
      usedIds.add(id);
    });
  });
export type AssumptionFile = Shape<typeof AssumptionFile>;

export type AssumptionEvent =
  | { type: 'confirm'; at: string; by: string }
  | { type: 'reject' | 'overturn'; at: string; by: string; reason: string };

export const ASSUMPTION_TRANSITIONS: Readonly<
  Record<AssumptionStatus, Readonly<Partial<Record<AssumptionEvent['type'], AssumptionStatus>>>>
> = {
  standing: { confirm: 'confirmed', reject: 'rejected', overturn: 'rejected' },
  confirmed: { overturn: 'rejected' },
  rejected: {},
};

export function transition(assumption: Assumption, event: Readonly<AssumptionEvent>): Assumption {
  const status = assumption.status ?? 'standing';
  const next = ASSUMPTION_TRANSITIONS[status][event.type];
  if (next === undefined) throw illegal(assumption, status, event.type);
  const decidedAssumption = { ...assumption, status: next, decidedAt: event.at, decidedBy: event.by };
  if (event.type === 'confirm') return decidedAssumption;
  return { ...decidedAssumption, rejection: requireText(event.reason, 'reason', MAX_ANSWER_CHARACTERS) };
}

/** Something follows from its verdict, and is not done yet. */
export function noteUnsettled(assumption: Assumption): Assumption {
  return { ...assumption, unsettled: true };
}

/** Everything that follows from it is done. */
export function noteSettled(assumption: Assumption): Assumption {
  const { unsettled, ...settledAssumption } = assumption;
  return unsettled === undefined ? assumption : settledAssumption;
}

/** The six fields of 002. */
export type Decision = Pick<
  Assumption,
  'decision' | 'blocker_type' | 'user_response' | 'reasoning' | 'confidence' | 'risk_if_wrong'
>;

const USER_RESPONSE = /^(?:inferred_from_[a-z0-9_]+$|User confirmed option \([^)]{1,64}\): .|timeout_assumed$)/;

/** Reads leniently what an agent assumed: a sentence, or an object with some of the fields. */
export function readDecision(written: unknown): Decision {
  const fields: Readonly<Record<string, unknown>> = isObject(written) ? written : { decision: written };
  const text = (key: string, otherwise: string) => {
    const value = fields[key];
    return typeof value === 'string' && value.trim() !== '' ? value : otherwise;
  };
  const word = (key: string) =>
    text(key, '')
      .trim()
      .toLowerCase()
      .replace(/[^a-z]+/g, '_');
  const blocker = z.safeParse(BlockerType, word('blocker_type'));
  const confidence = z.safeParse(Assumption.shape.confidence, word('confidence'));
  const response = text('user_response', '');
  return {
    decision: requireText(text('decision', text('text', '')), 'decision', MAX_ANSWER_CHARACTERS),
    blocker_type: blocker.success ? blocker.data : 'none',
    user_response: USER_RESPONSE.test(response) ? response : 'inferred_from_context',
    reasoning: requireText(text('reasoning', 'The agent gave no reason.'), 'reasoning', MAX_ANSWER_CHARACTERS),
    confidence: confidence.success ? confidence.data : 'medium',
    risk_if_wrong: requireText(text('risk_if_wrong', 'unknown'), 'risk', MAX_ANSWER_CHARACTERS),
  };
}

export interface AssumptionFilter {
  readonly status?: AssumptionStatus;
  /** Those whose verdict is not remembered yet, at a cost that follows their number. */
  readonly unsettled?: true;
}

/** What was assumed on all these issues: by issue, each as it was made. */
export function assumptionsIn(
  files: readonly AssumptionFile[],
  { status, unsettled, ...paging }: AssumptionFilter & Paging = {},
): { readonly items: readonly Assumption[]; readonly total: number; readonly next?: string } {
  const all = files
    .toSorted((left, right) => left.issueNumber - right.issueNumber)
    .flatMap(({ issueNumber, assumptions_made }) =>
      assumptions_made.map((assumption, place) => ({ assumption, at: positionOf.assumption(issueNumber, place) })),
    );
  const matching = all.filter(
    ({ assumption }) =>
      (status === undefined || (assumption.status ?? 'standing') === status) &&
      (unsettled === undefined || assumption.unsettled === true),
  );
  const { items, ...rest } = pageOf(matching, paging, ({ at }) => at);
  return { ...rest, items: items.map(({ assumption }) => assumption), total: matching.length };
}

export function emptyAssumptionFile(issueNumber: number): AssumptionFile {
  return { issueNumber, assumptions_made: [] };
}

export function nextAssumptionId(file: AssumptionFile): string {
  const highest = file.assumptions_made.reduce(
    (sequence, { id }) => (id === undefined ? sequence : Math.max(sequence, parseAssumptionId(id).sequence)),
    file.lastSequence ?? 0,
  );
  return makeAssumptionId(file.issueNumber, highest + 1);
}

function illegal(assumption: Assumption, status: AssumptionStatus, event: string): AgentXError {
  // An assumption is overturned by an answer, not by its name.
  const allowed = Object.keys(ASSUMPTION_TRANSITIONS[status]).filter((type) => type !== 'overturn');
  return new AgentXError(
    'INVALID_STATE',
    `Assumption ${assumption.id ?? `'${assumption.decision}'`} is ${status}, which does not take '${event}'. ` +
      `Allowed: ${allowed.length > 0 ? allowed.join(', ') : 'nothing, it is decided'}.`,
    { assumptionId: assumption.id, status, event, allowed },
  );
}
