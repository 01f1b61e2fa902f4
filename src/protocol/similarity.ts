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
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / (left.size + right.size - shared);
}

/** Beyond this share of common words two texts count as the same question. */
const SAME_ABOVE = 0.8;

export function saysTheSame(left: string, right: string): boolean {
  return similarity(left, right) > SAME_ABOVE;
}

const DENIALS: ReadonlySet<string> = new Set([
  'no',
  'not',
  't',
  'never',
  'none',
  'nor',
  'neither',
  'without',
  'cannot',
]);

/**
 * Whether an answer to one answers the other: they say the same, and neither has another word in the place of one.
 * Staging is not production, and what is denied is not what is asked.
 */
export function meansTheSame(left: string, right: string): boolean {
  const [leftWords, rightWords] = [wordsOf(left), wordsOf(right)];
  const onlyLeft = [...leftWords].filter((word) => !rightWords.has(word));
  const onlyRight = [...rightWords].filter((word) => !leftWords.has(word));
  if (onlyLeft.length > 0 && onlyRight.length > 0) return false;
  return saysTheSame(left, right) && ![...onlyLeft, ...onlyRight].some((word) => DENIALS.has(word));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const WORD = new RegExp(`${UNSPACED.source}\\p{M}*|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}]\\p{M}*)+`, 'gu');

export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.normalize('NFKC').toLowerCase().match(WORD) ?? []);
}
