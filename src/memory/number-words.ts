import { stemOf } from '../search/words.js';

/** "Five" is 5. "One" is often no number, and "twice" says how often. Pure. */
export function inDigits(text: string): string {
  return text.replace(NUMBER_WORDS, (word) => stemOf(word.toLowerCase()));
}

const NUMBER_WORDS =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand)\b/gi;
