import type { Question, QuestionFallback } from './question.js';
import { shorten } from './shorten.js';

/** What a list shows of a question, and what a sweep needs: small enough for thousands. */
export type QuestionSummary = Pick<
  Question,
  | 'id'
  | 'issueNumber'
  | 'kind'
  | 'status'
  | 'outcome'
  | 'answeredBy'
  | 'reason'
  | 'blocking'
  | 'consequence'
  | 'createdAt'
  | 'expiresAt'
  | 'blocksTask'
  | 'unsettled'
> & {
  readonly agent: string;
  readonly title: string;
  readonly fallback?: Pick<QuestionFallback, 'optionId'>;
};

/** More than a line holds. */
const MAX_TITLE_CHARACTERS = 120;

export function summaryOf(question: Question): QuestionSummary {
  const { id, issueNumber, kind, status, blocking, consequence, createdAt, askedBy } = question;
  const { outcome, answeredBy, reason, expiresAt, blocksTask, unsettled, fallback } = question;
  const title = titleOf(question);
  return {
    id,
    issueNumber,
    kind,
    status,
    blocking,
    consequence,
    createdAt,
    agent: askedBy.agent,
    title: shorten(title, MAX_TITLE_CHARACTERS),
    ...(outcome !== undefined && { outcome }),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(blocksTask !== undefined && { blocksTask }),
    ...(unsettled !== undefined && { unsettled }),
    ...(fallback && { fallback: fallback.optionId === undefined ? {} : { optionId: fallback.optionId } }),
  };
}

const CODE_FENCE = /^\s*(?:`{3,}|~{3,})[^`]*$/;

/** The agent's text, but no more than a line: a long text has a header, or a first line that sums it up. */
export function titleOf({ kind, questions }: Pick<Question, 'kind' | 'questions'>): string {
  const [part] = questions;
  if (part === undefined || questions.length > 1) return `${questions.length} questions`;
  const lines = part.text.trim().split(/\r?\n/);
  const [top = '', ...more] = lines;
  const first = lines.find((line) => line.trim() !== '' && !CODE_FENCE.test(line)) ?? top;
  // The header of a failure says which step failed, its first line also why.
  const hasHeader = kind === 'escalation' || (kind !== 'agent_failed' && more.length > 0);
  return (hasHeader ? part.header : undefined) ?? first;
}
