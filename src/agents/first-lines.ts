import { stripVTControlCharacters } from 'node:util';
import { beginningOf, endOf } from '../protocol/limits.js';
import { shorten } from '../protocol/shorten.js';

const SHOWN_LINES = 12;
const SHOWN_AT_THE_END = 3;
const SHOWN_CHARACTERS = 300;
const READ_AT_EACH_END = 32_768;

/** Control characters except line break and tab, and characters that reverse the reading direction. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

/**
 * A program's output, short enough for an error message and without anything that steers a terminal. The last lines
 * stay too: many languages report the error there.
 */
export function firstLines(text: string): string {
  const plainText = stripVTControlCharacters(bothEnds(text).replace(/\r\n?/g, '\n')).replace(UNSEEN, '');
  const lines = plainText
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [shorten(line.trimEnd(), SHOWN_CHARACTERS)]));
  if (lines.length <= SHOWN_LINES) return lines.join('\n');
  return [...lines.slice(0, SHOWN_LINES - SHOWN_AT_THE_END - 1), '...', ...lines.slice(-SHOWN_AT_THE_END)].join('\n');
}

function bothEnds(text: string): string {
  if (text.length <= 2 * READ_AT_EACH_END) return text;
  return `${beginningOf(text, READ_AT_EACH_END)}\n${endOf(text, READ_AT_EACH_END)}`;
}

/** A word of a command as a user would type it. Invisible characters are written out, so that nothing hides. */
export function showWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word);
}

function quote(word: string): string {
  return JSON.stringify(word).replace(/[\p{Cc}\p{Cf}]/gu, (character) =>
    character.split('').reduce((text, unit) => `${text}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`, ''),
  );
}
