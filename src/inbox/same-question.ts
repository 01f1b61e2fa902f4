import type { Question, QuestionPart } from '../protocol/question.js';
import { saysTheSame } from '../protocol/similarity.js';

/** Whether an answer to `known` answers every one of these parts. */
export function asksTheSame(known: Question, parts: readonly QuestionPart[]): boolean {
  return parts.every((part) => known.questions.some((other) => isSamePart(other, part)));
}

function isSamePart(left: QuestionPart, right: QuestionPart): boolean {
  return saysTheSame(left.text, right.text) && haveSameOptions(left, right);
}

/** A choice among others is another question, whatever its words. */
function haveSameOptions({ options: left = [] }: QuestionPart, { options: right = [] }: QuestionPart): boolean {
  if (left.length !== right.length) return false;
  return left.every(({ label }) => right.some((other) => other.label === label || saysTheSame(other.label, label)));
}

const CONFIRMATION =
  /^(?:are you (?:really )?sure|do you (?:really )?want (?:me|us) to|(?:shall|should|may|can) (?:i|we) (?:really |now )?(?:proceed|continue|go ahead|go on)|(?:please |can you |could you )?confirm\b|is (?:this|that|it) (?:ok|okay|correct|right|fine)\b)/i;

/** "Are you sure?" and its kin: one in each cycle is enough. */
export function isConfirmation({ text }: QuestionPart): boolean {
  return CONFIRMATION.test(text.trim());
}
