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
  /^(?:(?:just )?to (?:confirm|be sure)\b|(?:so |and )?(?:are )?you(?:'re| are)? (?:really |absolutely |quite )?sure|(?:really )?sure\s*\?|really (?:delete|remove|drop|do|proceed|continue)\b|do you (?:really )?want (?:me|us) to|(?:shall|should|may|can) (?:i|we) (?:really |now )?(?:proceed|continue|go ahead|go on|do (?:it|this|that))|(?:please |can you |could you |would you |do you )?(?:please )?confirm\b|is (?:this|that|it) (?:ok|okay|correct|right|fine|all right)\b|(?:ok|okay|all right|alright)(?:\s*\?| to\b| if\b))/i;

/** Each once, as far as an answer to one answers the other. */
export function withoutRepeats(parts: readonly QuestionPart[]): readonly QuestionPart[] {
  return parts.filter((part, index) => !parts.slice(0, index).some((before) => isSamePart(before, part)));
}

/** "Are you sure?" and its kin: one in each cycle is enough. */
export function isConfirmation({ text }: QuestionPart): boolean {
  return CONFIRMATION.test(text.trim());
}
