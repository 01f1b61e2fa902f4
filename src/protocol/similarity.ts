/**
 * How similar two texts are, from 0 to 1: the words they share, of all words they use. Case, punctuation, accents'
 * spelling and word order do not count. Scripts without spaces between words are compared letter by letter, because a
 * sentence that counted as one word would never resemble another.
 */
export function similarity(left: string, right: string): number {
  const leftWords = wordsOf(left);
  const rightWords = wordsOf(right);
  if (leftWords.size === 0 && rightWords.size === 0) return left.trim() === right.trim() ? 1 : 0;
  return overlap(leftWords, rightWords);
}

/** The words that two texts share, of all words they use. */
export function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let sharedCount = 0;
  for (const word of left) if (right.has(word)) sharedCount++;
  return sharedCount / (left.size + right.size - sharedCount);
}

/** Beyond this share of common words two texts count as the same question. */
const SAME_ABOVE = 0.8;

export function saysTheSame(left: string, right: string): boolean {
  return similarity(left, right) > SAME_ABOVE;
}

/** Words that change nothing of what is asked. */
const FILLERS: ReadonlySet<string> = new Set(
  'a an the please kindly now here then also just really exactly actually so ok okay hi hello'.split(' '),
);

/**
 * Whether an answer to one answers the other: word for word the same, apart from fillers and from the order of `x or y`.
 * A text that adds `only paid ones` or `never`, or that has two names in each other's place, is another.
 */
export function meansTheSame(left: string, right: string): boolean {
  const [leftWords, rightWords] = [left, right].map((text) => allWordsOf(text).filter((word) => !FILLERS.has(word)));
  if (leftWords?.length === 0 && rightWords?.length === 0) return left.trim() === right.trim();
  return inOrder(leftWords) === inOrder(rightWords);
}

function inOrder(words: readonly string[] = []): string {
  return words
    .join(' ')
    .replace(/(\S+) or (\S+)/g, (_, one: string, other: string) => [one, other].toSorted().join(' or '));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const WORD = new RegExp(`${UNSPACED.source}\\p{M}*|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}]\\p{M}*)+`, 'gu');

export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(allWordsOf(text));
}

const allWordsOf = (text: string): readonly string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
