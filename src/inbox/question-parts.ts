import type { Question, QuestionFallback, QuestionPart } from '../protocol/question.js';
import { meansTheSame } from '../protocol/similarity.js';
import { GRAVE } from './routine.js';

/** Whether an answer to this question answers every one of these parts. */
export function asksTheSame(question: Question, parts: readonly QuestionPart[]): boolean {
  return parts.every((part) => question.questions.some((other) => isSamePart(other, part)));
}

function isSamePart(left: QuestionPart, right: QuestionPart): boolean {
  return meansTheSame(left.text, right.text) && haveSameOptions(left, right);
}

/** With other options it is another question, whatever its words. */
function haveSameOptions({ options: left = [] }: QuestionPart, { options: right = [] }: QuestionPart): boolean {
  if (left.length !== right.length) return false;
  return left.every(({ label }) => right.some((other) => other.label === label || meansTheSame(other.label, label)));
}

const GO_ON = '(?:proceed|continue|go ahead|go on|keep going|start)(?! to [a-z]+ )';
const CONFIRMATION = new RegExp(
  `^(?:${[
    '(?:just )?to (?:confirm|be sure)\\b|just checking\\b',
    "(?:so |and )?(?:are )?(?:you|we)(?:'re| are)? (?:really |absolutely |quite )?(?:sure|certain|positive)\\b",
    '(?:really )?(?:sure|correct|agreed|really)\\s*\\?|really (?:delete|remove|drop|do|proceed|continue)\\b',
    `do you really want|(?:do you want|would you like) (?:me |us )?to ${GO_ON}`,
    `(?:shall|should|may|can) (?:i|we) (?:really |now )?(?:${GO_ON}|do (?:it|this|that)\\b)`,
    `${GO_ON}\\s*\\?`,
    '(?:please |can you |could you |would you |do you )?(?:please )?confirm\\b|do you agree\\b|do i have your (?:ok|approval|go-ahead)',
    '(?:do you |you )?approve\\s*\\?|(?:are there )?any objections\\b|(?:are we|all|sounds|looks) good\\s*\\?',
    'does (?:this|that|it|everything) (?:look|sound|seem) (?:good|right|ok|okay|fine|correct|all right)\\b',
    'is (?:this|that|it|everything) (?:ok|okay|correct|right|fine|all right|what you want)\\b',
    '(?:ok|okay|all right|alright)(?:\\s*\\?| to\\b| if\\b)',
  ].join('|')})`,
  'i',
);
/** What asks for more than a yes is a question of its own, however it begins. */
const CHOICE = /\b(?:or|which|whether|what|when|where|how|who)\b/i;
const YES_OR_NO = /^(?:yes|no|ok|okay|cancel|confirm|proceed|stop|go ahead|i am sure)\b/i;

/** Each once, as far as an answer to one answers the other. */
export function withoutRepeats(parts: readonly QuestionPart[]): readonly QuestionPart[] {
  return parts.filter((part, index) => !parts.slice(0, index).some((before) => isSamePart(before, part)));
}

/** "Are you sure?" and its kin: one in each cycle is enough. A yes to one is none to keys, money or law in another. */
export function isConfirmation({ text, options = [] }: Pick<QuestionPart, 'text' | 'options'>): boolean {
  const words = text.trim();
  if (!CONFIRMATION.test(words) || GRAVE.test(words)) return false;
  return !CHOICE.test(words.replace(/\bwhat you want\b/i, '')) && options.every(({ label }) => YES_OR_NO.test(label));
}

/*
 * Agents declare a fallback for each part of a question; a question has one deadline. It falls back as a whole if every
 * part has one. If a part has none, a person has to decide, and no part's fallback is used for another.
 */

/** What becomes of the whole question without an answer. */
export function fallbackOf(parts: readonly QuestionPart[]): Pick<Question, 'fallback'> {
  const fallbacks = parts.flatMap(({ fallback }) => fallback ?? []);
  const [first] = fallbacks;
  if (first === undefined || fallbacks.length < parts.length) return {};
  return { fallback: parts.length === 1 ? first : summary(parts, fallbacks) };
}

/** A single part is the whole question: its fallback is the question's. */
export function ownFallbacks(parts: readonly QuestionPart[]): readonly QuestionPart[] {
  if (parts.length !== 1) return parts;
  return parts.map(({ fallback: _, ...part }) => part);
}

/** For people who look at the deadline: each part has its own. */
function summary(parts: readonly QuestionPart[], fallbacks: readonly QuestionFallback[]): QuestionFallback {
  const text = parts.map(({ fallback, options = [] }) => {
    const option = options.find(({ id }) => id === fallback?.optionId);
    return fallback?.text ?? option?.label ?? '';
  });
  const joined = (key: 'reasoning' | 'risk') => fallbacks.flatMap((fallback) => fallback[key] ?? []).join('; ');
  const [reasoning, risk] = [joined('reasoning'), joined('risk')];
  return {
    text: text.join('; '),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(risk === '' ? {} : { risk }),
  };
}
