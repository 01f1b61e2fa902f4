import { beginsWith } from './ids.js';
import type { Question } from './question.js';

/** All of these conditions must hold. */
export interface QuestionFilter {
  readonly status?: Question['status'] | undefined;
  /** A change whose consequences may not be carried out yet. */
  readonly unsettled?: true;
  readonly issue?: number;
  /** How their ids begin, in upper or lower case. */
  readonly idFrom?: string;
}

type Filtered = Pick<Question, 'id' | 'issueNumber' | 'status' | 'unsettled'>;

export function isIn({ status, unsettled, issue, idFrom }: QuestionFilter): (question: Filtered) => boolean {
  const hasStart = beginsWith(idFrom ?? '');
  return (question) =>
    question.status === (status ?? question.status) &&
    question.issueNumber === (issue ?? question.issueNumber) &&
    (unsettled === undefined || question.unsettled === true) &&
    hasStart(question.id);
}
