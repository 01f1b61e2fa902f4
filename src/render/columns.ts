/**
 * Characters that take two columns of a terminal, of the scripts that people write in, and those that take none. Of the
 * two letters that make a flag, each takes one.
 */
const WIDE =
  /(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ONE_COLUMN_EACH = /^[ -~]*$/;
const NOTHING = /[\p{Mn}\p{Me}\u1160-\u11ff\u200b-\u200d\u2060\ufeff]/u;

/** How many columns a line of plain text takes. */
export function columnsOf(text: string): number {
  // The quick way: lists of thousands of rows are measured cell by cell.
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + columnsOfOne(character), 0);
}

/** The text, shortened to fit and ended with `..`: a terminal would wrap a longer line. */
export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const mark = columns > 4 ? '..' : '';
  let space = columns - mark.length;
  let fitting = '';
  for (const character of text) {
    space -= columnsOfOne(character);
    if (space < 0) break;
    fitting += character;
  }
  return `${fitting}${mark}`;
}

export function padTo(text: string, columns: number): string {
  return `${text}${' '.repeat(Math.max(0, columns - columnsOf(text)))}`;
}

/** One text at the left edge and one at the right. The left one is cut if both do not fit. */
export function spread(left: string, right: string, columns: number): string {
  const gap = 2;
  return `${padTo(cutTo(left, columns - right.length - gap), columns - right.length)}${right}`;
}

function columnsOfOne(character: string): number {
  if (NOTHING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
