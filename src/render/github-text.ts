import { MAX_GITHUB_TEXT } from '../protocol/github.js';
import { redact } from '../protocol/redact.js';
import { plainLine, plainText } from './plain-text.js';

/*
 * Text of agents and people as GitHub is to show it: as the characters that it is. Whatever has a meaning in GitHub's
 * Markdown is escaped. After that, GitHub looks for mentions, references and addresses in the resulting text. So an
 * invisible character stands in each: none of them notifies a person, closes an issue or becomes a link. Comments may
 * be public: what looks like a secret is left out.
 */

const INVISIBLE = '\u200b';
const SPECIAL = /[\\`*_{}[\]()<>~|$&!+=^"]/g;
/** At the beginning of a line, these make a list or a rule. */
const LIST_MARK = /^([\u00a0\d]*)([-.:])/;

/** A block of quoted text that nothing inside it can end. */
export function quoted(text: string): string {
  const lines = plainText(redact(text)).trim().split('\n');
  return lines.map((line) => `> ${escapedLine(line)}`.trimEnd()).join('\n');
}

/** The same within a line. */
export function inline(text: string): string {
  return escapedLine(plainText(redact(text)).replace(/\s+/g, ' ').trim());
}

/** An id or a command, in a fixed width. Agents name the parts of their questions: no name ends it. */
export function code(text: string): string {
  return `\`${plainLine(text).replaceAll('`', '')}\``;
}

function escapedLine(line: string): string {
  const escaped = line
    .trimEnd()
    .replace(SPECIAL, '\\$&')
    .replace(/^[ \t]+/, (space) => '\u00a0'.repeat(space.replaceAll('\t', '    ').length))
    .replace(LIST_MARK, '$1\\$2')
    .replaceAll('#', `\\#${INVISIBLE}`);
  return withoutReach(escaped);
}

/** Text of an agent with its Markdown, for an issue of its own: only what reaches beyond the text is taken out. */
export function defused(text: string): string {
  const safe = plainText(redact(text))
    .split('\n')
    .map((line) => (DEPENDENCY.test(line) ? line : withoutReach(line)))
    .join('\n');
  return safe.length <= MAX_GITHUB_TEXT ? safe : shortenedText(safe);
}

/** Its beginning and a word about the rest. No character, and no escape of ours, is cut in half. */
export function shortenedText(text: string, room = 0): string {
  const beginning = text.slice(0, MAX_GITHUB_TEXT - room).replace(/[\ud800-\udbff\\]+$/, '');
  return `${beginning}\n\n_Shortened: the whole text is in the repository's .agentx folder._`;
}

/** Other issues are named here on purpose. */
const DEPENDENCY = /^\s*(?:[-*]\s+)?\*{0,2}(?:blocked-by|blocks):\*{0,2}[ \t]*(?:#\d{1,15}[ \t,]*)+$/i;

function withoutReach(line: string): string {
  return line
    .replace(/&(?=#?\w+;)/g, `&${INVISIBLE}`)
    .replaceAll('@', `@${INVISIBLE}`)
    .replace(/#(?=\d)/g, `#${INVISIBLE}`)
    .replace(/(?<!(?<!\\)(?:\\\\)*\\)</g, `<${INVISIBLE}`)
    .replaceAll('://', `:${INVISIBLE}//`)
    .replace(/www(?=\.)/gi, `$&${INVISIBLE}`)
    .replace(/gh(?=-\d)/gi, `$&${INVISIBLE}`);
}
