import type { Observation } from '../../src/protocol/observation.js';
import { AGENTS, CATEGORIES, numbers, observation } from './made-observation.js';

/*
 * Notes as a project has them after some years. Six thousand words, of which few are common and most are rare, as in
 * any language (Zipf's law). There are names in code, paths and figures among them. An issue has a topic, and a session
 * a part of it. Beyond the two hundred commonest, the words are made of syllables: what they mean counts for no index.
 */

const COMMON =
  'test file user error time service data request order change check page token name build list key database server call cache query code value version limit client table path field event type model session run payment search upload retry queue log message config deploy index schema branch review issue handler worker response timeout update feature migration job account customer invoice product price cart email template form button screen layout style colour image video report export import filter sort column row record entity relation constraint lock thread process signal socket stream buffer packet header body cookie password login role permission policy rule audit alert metric trace dashboard chart graph node edge tree map set array object string number date zone currency amount tax discount refund charge card bank transfer wallet balance ledger batch chunk shard replica backup restore snapshot cluster region network proxy gateway router balancer certificate domain host port address protocol adapter plugin module package bundle library framework compiler parser lexer grammar symbol scope closure function method class interface contract endpoint resource collection document folder archive storage bucket volume disk memory processor kernel driver device sensor firmware battery screen keyboard pointer touch gesture animation frame shader texture mesh camera scene level score player match team season'.split(
    ' ',
  );
const BEGINNINGS =
  'ba be bri ca cor da del dro el fa fen fli ga gri hal hem in jo ka kel lo lum ma mir no or pa pel qui ra rin sa sel sto ta tri ul va vel wen xa yor za'.split(
    ' ',
  );
const MIDDLES = 'bar con da fer gan lis mon nar per ric sol tan ver dim lop'.split(' ');
const ENDS = 'a al an ar en er ic in or um ing ed s tion ment able'.split(' ');
const FUNCTION_WORDS = 'the of to in is and for a with on it that when not was by as we this from'.split(' ');
const QUESTION_STARTS = 'how does the,why is,what is the,where do we,which,when does,how are,did we'.split(',');
const VOCABULARY = 6_000;
/** Words before the first: without them, the commonest word would be in two of three notes. */
const OFFSET = 20;
const UNITS = ['ms', 's', 'MB', 'kB', 'percent', 'times', 'rows', ''];

const words = vocabulary();
const shares = cumulated(words.map((_, place) => 1 / (place + 1 + OFFSET)));

function vocabulary(): readonly string[] {
  const next = numbers(3);
  const words = new Set(COMMON);
  while (words.size < VOCABULARY) {
    const middle = next() < 0.5 ? pickOf(next, MIDDLES) : '';
    words.add(`${pickOf(next, BEGINNINGS)}${middle}${pickOf(next, MIDDLES)}${pickOf(next, ENDS)}`);
  }
  return [...words];
}

/** So many observations, a hundred for each issue, in sessions of eight. */
export function naturalCorpus(count: number): readonly Observation[] {
  const next = numbers(11);
  let topic: readonly string[] = [];
  let subject: readonly string[] = [];
  return Array.from({ length: count }, (_, number) => {
    const inIssue = number % 100;
    if (inIssue === 0) topic = Array.from({ length: 40 }, () => wordOf(next));
    if (inIssue % 8 === 0) subject = Array.from({ length: 12 }, () => pickOf(next, topic));
    const summary = sentence(next, subject);
    const more = Array.from({ length: 1 + Math.floor(next() * 3) }, () => sentence(next, subject));
    const issueNumber = 1 + Math.floor(number / 100);
    return observation({
      number,
      issueNumber,
      summary,
      content: [summary, ...more].join(' '),
      sessionId: `s-${issueNumber}-${Math.floor(inIssue / 8)}`,
      category: pickOf(next, CATEGORIES),
      agent: pickOf(next, AGENTS),
    });
  });
}

/**
 * Two to eight words about one of the notes. Agents write only its words and names. People ask in a sentence and use
 * some words of their own.
 */
export function naturalQueries(corpus: readonly Observation[], count: number): readonly string[] {
  const next = numbers(17);
  return Array.from({ length: count }, () => {
    const { content } = pickOf(next, corpus);
    const words = content
      .split(/\.?\s+|\.$/)
      .filter((word) => word !== '' && !FUNCTION_WORDS.includes(word.toLowerCase()));
    const from = Array.from({ length: 2 + Math.floor(next() * 3) }, () => pickOf(next, words));
    if (next() < 0.5) return from.join(' ');
    const ownWords = Array.from({ length: 1 + Math.floor(next() * 2) }, () => wordOf(next));
    return [...pickOf(next, QUESTION_STARTS).split(' '), ...from, ...ownWords].slice(0, 8).join(' ');
  });
}

function sentence(next: () => number, subject: readonly string[]): string {
  const parts: string[] = [];
  const length = 4 + Math.floor(next() * 5);
  while (parts.length < length) parts.push(next() < 0.06 ? nameOf(next, subject) : contentWord(next, subject));
  if (next() < 0.3) parts.push(`${Math.floor(next() ** 3 * 2_000)} ${pickOf(next, UNITS)}`.trim());
  const spoken = parts.flatMap((part) => (next() < 0.55 ? [pickOf(next, FUNCTION_WORDS), part] : [part])).join(' ');
  return `${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}.`;
}

function contentWord(next: () => number, subject: readonly string[]): string {
  return next() < 0.5 ? pickOf(next, subject) : wordOf(next);
}

function nameOf(next: () => number, subject: readonly string[]): string {
  const [one, other] = [pickOf(next, subject), wordOf(next)];
  const kind = next();
  if (kind < 0.4) return `${one}${other.charAt(0).toUpperCase()}${other.slice(1)}`;
  if (kind < 0.6) return `${one}_${other}`;
  return `src/${one}/${other}.ts`;
}

function wordOf(next: () => number): string {
  const point = next() * (shares.at(-1) ?? 1);
  let [low, high] = [0, shares.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shares[middle] ?? 0) < point) low = middle + 1;
    else high = middle;
  }
  return words[low] ?? '';
}

function cumulated(values: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(values, (value) => {
    sum += value;
    return sum;
  });
}

function pickOf<T>(next: () => number, items: readonly T[]): T {
  const item = items[Math.floor(next() * items.length)];
  if (item === undefined) throw new RangeError('there is nothing to pick from');
  return item;
}
