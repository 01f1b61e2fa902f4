import { countCharacters, MAX_ANSWER_CHARACTERS } from '../../protocol/limits.js';
import { similarity } from '../../protocol/similarity.js';

/*
 * What an answer to another agent must be: a direct answer, what it rests on, and what remains open. One that is not
 * is sent back once. Pure.
 */

export interface GivenAnswer {
  readonly answer: string;
  readonly evidence?: readonly string[] | undefined;
  readonly open?: string | undefined;
}

export function composedAnswer({ answer, evidence = [], open = '' }: GivenAnswer): string {
  const sources = evidence.map((one) => one.trim()).filter((one) => one !== '');
  const remains = /^(?:none|nothing|no|-|n\/a)?\.?$/i.test(open.trim()) ? '' : open.trim();
  return [
    answer.trim(),
    ...(sources.length === 0 ? [] : [`Evidence: ${sources.join('; ')}`]),
    ...(remains === '' ? [] : [`Open: ${remains}`]),
  ].join('\n');
}

const EVASIVE =
  /^(?:it|that|this) (?:really |all |mostly )?depends\b|^(?:either|both|any(?: of them)?) (?:would|will|could|is|are|works?)\b[^.;]*[.!]?$|^(?:up to you|your (?:call|choice)|whatever you (?:prefer|think))|^(?:i(?:'m| am) not sure|not sure|hard to say|i (?:do not|don't) know)[.!]?$|^(?:please )?(?:use|do|choose|pick) (?:what(?:ever)?|the) (?:is |seems |looks )?(?:best|appropriate|suitable|reasonable)\b|^(?:use )?(?:best practices?|common sense|your (?:best )?judge?ment)\b/i;

const MIN_CHARACTERS = 3;
/** Nearly the same words as the question. */
const SAME = 0.85;

/** Why an answer is none, as a clause for its author; undefined for a good one. */
export function answerProblem(answer: string, question: string): string | undefined {
  const [head = ''] = answer.split(/\n(?:Evidence|Open): /);
  const text = head
    .replace(/[*_`#>]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length < MIN_CHARACTERS) return 'it is empty';
  if (countCharacters(answer) > MAX_ANSWER_CHARACTERS) return `it has more than ${MAX_ANSWER_CHARACTERS} characters`;
  if (similarity(text, question) > SAME) return 'it repeats the question';
  if (isQuestionOnly(text)) return 'it asks back instead of answering';
  const [first = ''] = text.split(/(?<=[.!?])\s/);
  const rest = text.slice(first.length);
  // "It depends on X: for A use B" decides after all.
  const decidesLater = /\b(?:use|choose|take|go with|keep|set|return|must|should|will|is|are)\b/i.test(rest);
  if (EVASIVE.test(text) && !decidesLater) return 'it leaves the decision open';
  return undefined;
}

function isQuestionOnly(text: string): boolean {
  const sentences = text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.trim() !== '');
  return sentences.length > 0 && sentences.every((sentence) => sentence.endsWith('?'));
}

export function sentBackAnswer(problem: string): string {
  return (
    `Your answer was not passed on: ${problem}. Give a direct answer that the other agent can act on, say what it rests ` +
    'on (files, sections, decisions), and name what remains open. If you do not know, say which of the possibilities ' +
    'you would take and why.'
  );
}
