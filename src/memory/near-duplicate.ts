import { wordsOf } from '../search/words.js';
import { inDigits } from './number-words.js';

/*
 * Whether two observations say the same. Losing a fact is worse than keeping it twice. So everything that could make a
 * difference must be equal: numbers, names in code, words in capitals, and whether it is denied. Of the other words,
 * only one of the two may have some of its own, unless those are of the kind that every decision has ("use", "chose").
 */

/** What a text says. Most texts differ in what must be equal, so that their words are hardly ever needed. */
class Said {
  readonly exact: string;
  #words: ReadonlySet<string> | undefined;

  constructor(private readonly text: string) {
    const exact = new Set([
      ...(inDigits(text).match(/\d+(?:[.,:]\d+)*/g) ?? []),
      ...(text.match(/`[^`]+`|\b\w+(?:[_/]\w+)+\b|\b[a-z]+[A-Z]\w*/g) ?? []).map((name) => name.replaceAll('`', '')),
      ...(NEGATION.test(text) ? ['not'] : []),
    ]);
    this.exact = [...exact].sort().join(' ');
  }

  get words(): ReadonlySet<string> {
    if (this.#words !== undefined) return this.#words;
    const words = new Set(wordsOf(this.text).map((word) => SAME_WORD.get(word) ?? word));
    for (const word of GENERIC) words.delete(word);
    this.#words = words;
    return words;
  }
}

/** Below this share of common words even a shorter text is another one. */
const SHARED = 0.6;

export function isNearDuplicate(left: string, right: string): boolean {
  return sameSaid(saidIn(left), saidIn(right));
}

/** The place of the first that says the same, or -1. */
export function findNearDuplicate(text: string, others: readonly string[]): number {
  const statement = saidIn(text);
  return others.findIndex((other) => sameSaid(statement, saidIn(other)));
}

function sameSaid(left: Said, right: Said): boolean {
  if (left.exact !== right.exact) return false;
  const [onlyLeft, onlyRight] = [without(left.words, right.words), without(right.words, left.words)];
  if (onlyLeft > 0 && onlyRight > 0) return false;
  const sharedCount = left.words.size - onlyLeft;
  return sharedCount > 0 && sharedCount >= SHARED * Math.max(left.words.size, right.words.size);
}

const MOST_KEPT = 512;
const cache = new Map<string, Said>();

/** Each text is compared with many others. */
function saidIn(text: string): Said {
  const statement = cache.get(text) ?? new Said(text);
  if (cache.size >= MOST_KEPT) cache.clear();
  cache.set(text, statement);
  return statement;
}

const NEGATION =
  /\b(?:not?|never|none|without|instead|rather|cannot|can't|don't|doesn't|won't|avoid|drop|remove[ds]?|reject(?:ed)?)\b/i;

/** Stems of words that say nothing about what was decided. */
const GENERIC: ReadonlySet<string> = new Set(
  'us chose choos chosen pick decid decis adopt select go went agre settl opt note fact rememb import team project system app applic databas db current alwai should need run work set be make made take keep option fine'.split(
    ' ',
  ),
);

const SAME_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    postgr: 'postgresql',
    pg: 'postgresql',
    prod: 'product',
    auth: 'authent',
    config: 'configur',
    env: 'environ',
    repo: 'repositori',
    docs: 'document',
    doc: 'document',
    k8: 'kubernet',
    sec: 'second',
    min: 'minut',
    dir: 'directori',
    folder: 'directori',
  }),
);

function without(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let count = 0;
  for (const word of left) if (!right.has(word)) count++;
  return count;
}
