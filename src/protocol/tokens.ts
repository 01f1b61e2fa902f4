/*
 * How many tokens a text takes, near enough to plan with and fast enough for every brief. Four characters of most
 * scripts make a token. In scripts that write a word in one or two characters, each character makes one. For billing,
 * or for filling a window completely, count exactly instead.
 */

/** In the place of a tokenizer's name: nothing counted exactly. */
export const ESTIMATE = 'estimate';

const CHARACTERS_PER_TOKEN = 4;
const DENSE = /[\u2e80-\uffff]/g;

export function estimateTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0;
  return Math.ceil(dense + (text.length - dense) / CHARACTERS_PER_TOKEN);
}

const PIECE = /[A-Za-z]+|\d{1,3}|[^\sA-Za-z\d]/gu;

/** A text cannot take more tokens than this, whatever the tokenizer: for a budget that must hold. */
export function tokenCeiling(text: string): number {
  let count = 1;
  for (const [piece] of text.matchAll(PIECE)) {
    const code = piece.charCodeAt(0);
    if (code > 0x7f) count += code < 0x800 ? 2 : piece.length > 1 ? 4 : 3;
    else count += piece.length <= 3 || !/[A-Za-z]/.test(piece) ? 1 : Math.ceil(piece.length / 2);
  }
  return count + (text.match(/\s{2,}/g)?.length ?? 0) + (text.match(/\n/g)?.length ?? 0);
}
