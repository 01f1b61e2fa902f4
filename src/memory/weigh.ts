import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { HUMAN } from '../protocol/ids.js';
import { beginningOf } from '../protocol/limits.js';

/*
 * The value of a thread is its decision. Every sentence of the answers and of the resolution is weighed. Words of
 * decision, figures and names count for it; doubt and courtesy count against it. Later sentences count more than those
 * they replace. The best one or two are the summary, in their original order.
 */

const MAX_CHARACTERS = 300;
const MAX_SENTENCES = 2;

interface Sentence {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

interface Weighed {
  readonly sentence: Sentence;
  readonly weight: number;
  readonly place: number;
}

/** The decision, in one or two sentences of at most 300 characters. Pure. */
export function summarise(record: ClarificationRecord): string {
  const word = humanWord(record);
  if (word !== undefined) return cut(`${record.topic}: ${word}`);
  const questionTerms = termsOf([record.topic, ...bodiesOf(record, 'question')].join(' '));
  const sentences = decidingEntries(record)
    .flatMap(({ entry, recency }) =>
      sentencesOf(entry.body).map((sentence, index) => ({ sentence, bonus: recency + opening(index) })),
    )
    .map(({ sentence, bonus }, place) => ({ sentence, place, weight: weightOf(sentence, questionTerms) + bonus }))
    .toSorted((left, right) => right.weight - left.weight || right.place - left.place);
  const sentencesInOrder = choose(sentences).toSorted((left, right) => left.place - right.place);
  if (sentencesInOrder.length > 0) return sentencesInOrder.map(({ sentence }) => cut(sentence.text)).join(' ');
  const last = bodiesOf(record, 'answer').at(-1)?.trim();
  return cut(`${record.topic}: ${last === undefined || last === '' ? `${record.status}.` : last}`);
}

/** A human's decision in too few words to be a sentence: "MySQL.", "30". */
function humanWord(record: ClarificationRecord): string | undefined {
  const resolution =
    record.thread.findLast(({ type, from }) => type === 'resolution' && from === HUMAN)?.body.trim() ?? '';
  const isCourtesy = resolution.split(/(?<=[.!])\s+/).every(isCourteous);
  return resolution === '' || isCourtesy || sentencesOf(resolution).length > 0 ? undefined : resolution;
}

function isCourteous(sentence: string): boolean {
  return withoutCourtesy(sentence.replace(/[.!]*$/, '.')) === '' || COURTESY.test(sentence);
}

/** A human's word replaces what the agents said before; a later answer outweighs the one it corrects. */
function decidingEntries(record: ClarificationRecord): readonly { entry: ThreadEntry; recency: number }[] {
  const answers = record.thread.filter(({ type }) => type === 'answer');
  const resolutions = record.thread.filter(({ type }) => type === 'resolution').map((entry) => ({ entry, recency: 2 }));
  const humanResolutions = resolutions.filter(
    ({ entry }) => entry.from === HUMAN && sentencesOf(entry.body).length > 0,
  );
  if (humanResolutions.length > 0) return humanResolutions;
  return [...answers.map((entry, index) => ({ entry, recency: index === answers.length - 1 ? 2 : 0 })), ...resolutions];
}

/** The point comes first, after courtesies. */
function opening(index: number): number {
  return index === 0 ? 2 : 0;
}

function choose(sentences: readonly Weighed[]): readonly Weighed[] {
  const [best, ...rest] = sentences;
  if (best === undefined) return [];
  const bestSentences = [best];
  for (const other of rest) {
    if (bestSentences.length === MAX_SENTENCES) break;
    const isWorthIt = other.weight >= WORTH_A_SECOND && other.weight >= best.weight / 2;
    const length = bestSentences.reduce(
      (sum, { sentence }) => sum + sentence.text.length + 1,
      other.sentence.text.length,
    );
    const isSaid = ({ sentence }: Weighed) => saysTheSame(sentence, other.sentence);
    if (isWorthIt && length <= MAX_CHARACTERS && !bestSentences.some(isSaid)) bestSentences.push(other);
  }
  return bestSentences;
}

const WORTH_A_SECOND = 4;

const STRONG =
  /\b(?:use|uses|using|decided?|decision|must|instead of|rather than|go(?:ing)? with|adopt|choose|chosen?|switch to|agreed)\b/gi;
const WEAK =
  /\b(?:keep|drop|never|always|only|default|required?|not|no longer|store|return|returns|set|limit|replace|will|stays?|add|remove|one|both|per|after|until)\b/gi;
const DOUBT =
  /\b(?:maybe|perhaps|might|could|probably|i think|not sure|consider|depends|usually|historically|background|for context|as you know|originally|at first|discussed|looked (?:at|into|through)|years ago|in the past|interesting|generally|as an aside|by the way|revisit|sometimes|some teams|others|many ways)\b/gi;
const REASONS = /\b(?:because|since|cannot|reason|why|otherwise|says?|trade-offs?)\b/gi;
const FIGURES = /\b\d[\w.:%-]*|`[^`]+`|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]{2,}[\w-]*|\b\w+[_/]\w+/g;

function weightOf({ text, terms }: Sentence, questionTerms: ReadonlySet<string>): number {
  return (
    2 * Math.min(distinct(text, STRONG), 3) +
    Math.min(distinct(text, WEAK), 2) +
    Math.min(distinct(text, FIGURES), 2) +
    Math.min(sharedBy(terms, questionTerms), 4) / 2 -
    3 * distinct(text, DOUBT) -
    distinct(text, REASONS) -
    (text.endsWith('?') ? 5 : 0)
  );
}

/** Sentences without courtesies and list marks, long enough to have a meaning. */
function sentencesOf(body: string): readonly Sentence[] {
  return body
    .split(
      /\n+|(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|[Nn]o|[Nn]ot yet|[Yy]es|[Cc]orrect|[Ee]xactly)[.!])\s+(?=[^a-z])/,
    )
    .map((part) => part.replace(/^\s*(?:[-*>#]+|\d+[.)])\s+/, '').trim())
    .map(withoutCourtesy)
    .map((part) => (/[\p{L}\p{N}`)"']$/u.test(part) ? `${part}.` : part))
    .map((text) => ({ text, terms: termsOf(text) }))
    .filter(({ text, terms }) => terms.size >= 2 && !COURTESY.test(text));
}

const OPENING =
  /^(?:thanks(?: \w+){0,3}|thank you(?: \w+){0,3}|sure(?: thing)?|of course|absolutely|great(?: \w+)?|good (?:question|point|catch)|hi(?: there)?|hello|ok(?:ay)?|perfect|excellent|understood|got it|sounds good|makes sense|clear|no problem|sorry(?: \w+){0,5})(?:[,.!:;]|\s-+)\s*/i;
const COURTESY =
  /^(?:thanks|thank you|let me|feel free|(?:i )?hope|happy to|glad to|please (?:let|reach|feel|ping)|if you have (?:any|more|other|further)|looking forward|proceeding|continuing|good luck|(?:that|this)(?:'s| is) (?:a|an) (?:\w+ )?(?:great|good|excellent|interesting|fair)|great|good (?:question|point|catch)|no worries|you're welcome|sorry|apologies|cheers|i appreciate|i'm happy|just (?:ping|ask|shout)|anything else|all clear)\b/i;

function withoutCourtesy(sentence: string): string {
  let text = sentence;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(OPENING, '');
  }
  return text === sentence ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function saysTheSame({ terms: left }: Sentence, { terms: right }: Sentence): boolean {
  return sharedBy(left, right) > 0.6 * Math.min(left.size, right.size);
}

function sharedBy(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let count = 0;
  for (const term of left) if (right.has(term)) count++;
  return count;
}

function termsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]{2,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)));
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  'the and for with that this from are was were have has had but not you your our can will would should which what when where who how does did its into than then them they there here also any all more some such very just'.split(
    ' ',
  ),
);

function distinct(text: string, pattern: RegExp): number {
  const words = text.match(pattern) ?? [];
  return words.length < 2 ? words.length : new Set(words.map((word) => word.toLowerCase())).size;
}

function bodiesOf(record: ClarificationRecord, type: ThreadEntry['type']): readonly string[] {
  return record.thread.filter((entry) => entry.type === type).map(({ body }) => body);
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const head = beginningOf(text, MAX_CHARACTERS - 3);
  return `${beginningOf(head, Math.max(head.lastIndexOf(' '), MAX_CHARACTERS / 2))}...`;
}
