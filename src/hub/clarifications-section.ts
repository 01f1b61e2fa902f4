import { fnv1a64 } from '../protocol/derived-id.js';

/*
 * The section "Clarifications" of an artifact: what was clarified, one subsection each. Pure. A comment that readers do not
 * see names the clarification, with a hash of what was written: the same is written once, what has changed since replaces
 * it, and what a person corrected by hand stays until there is something new to say. Text of agents is quoted, so that it
 * can neither end the quotation nor look like a heading or a comment of ours.
 */

export interface ClarifiedEntry {
  /** `CLR-42-001` or `oq-1a2b3c4d`. */
  readonly id: string;
  readonly title: string;
  /** In the order in which it was said. */
  readonly statements: readonly { readonly who: string; readonly text: string }[];
  /** `2026-11-17` */
  readonly date: string;
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const MAX_TITLE = 120;
const MARK = '<!-- agentx ';

/** The content with every entry in it; the same content if nothing is new. Other lines keep their ends. */
export function withClarifications(content: string, entries: readonly ClarifiedEntry[]): string {
  const end = content.includes('\r\n') ? '\r' : '';
  const oldLines: readonly string[] = content.split('\n');
  const lines = entries.reduce((presentLines, entry) => withEntry(presentLines, entry, end), oldLines);
  return lines === oldLines ? content : `${lines.join('\n').trimEnd()}${end}\n`;
}

/** Whether a file says what its author wrote, and beyond that only what was clarified. */
export function addsOnlyClarifications(presentContent: string, writtenContent: string): boolean {
  const ownContent = writtenContent.trimEnd();
  return (
    presentContent.startsWith(ownContent) && /^\s*## Clarifications\r?\n/.test(presentContent.slice(ownContent.length))
  );
}

function withEntry(lines: readonly string[], entry: ClarifiedEntry, end: string): readonly string[] {
  const section = sectionIn(lines) ?? { level: 2, start: lines.length, end: lines.length, isNew: true };
  const block = blockOf(entry, section.level + 1).map((line) => `${line}${end}`);
  const place = placeOf(lines, entry.id);
  if (place === undefined) {
    // Behind a block of code that was never closed, our own heading looks like code.
    const isFirst = 'isNew' in section && !lines.some((line) => line.startsWith(MARK));
    const heading = isFirst ? [`${'#'.repeat(section.level)} Clarifications${end}`, end] : [];
    const linesBefore = withEnd(trimmed(lines.slice(0, section.end)), end);
    return [
      ...linesBefore,
      ...(linesBefore.length === 0 ? [] : [end]),
      ...heading,
      ...block,
      end,
      ...lines.slice(section.end),
    ];
  }
  if (place.mark === block[1]?.trimEnd()) return lines;
  return [...lines.slice(0, place.start), ...block, end, ...lines.slice(place.end)];
}

function blockOf({ id, title, statements, date }: ClarifiedEntry, level: number): readonly string[] {
  const text = statements.flatMap(({ who, text }) => ['', `${named(who)}:`, '', ...quoted(text)]);
  const body = [`${'#'.repeat(Math.min(level, 6))} ${id}: ${inline(title)} (${date})`, ...text];
  return [body[0] ?? '', `${MARK}${id} ${fnv1a64(body.join('\n'))} -->`, ...text];
}

/** The section of that name, wherever a person put it; code that shows such a heading is none. */
function sectionIn(lines: readonly string[]) {
  const headings = headingsIn(lines);
  const ownHeading = headings.find(({ text }) => text.toLowerCase() === 'clarifications');
  if (ownHeading === undefined) return undefined;
  const nextHeading = headings.find(({ line, level }) => line > ownHeading.line && level <= ownHeading.level);
  return { level: ownHeading.level, start: ownHeading.line, end: nextHeading?.line ?? lines.length };
}

/** An entry that is there: from its heading to the last of its quotations. What a person wrote below it is theirs. */
function placeOf(lines: readonly string[], id: string) {
  const at = lines.findIndex((line) => line.startsWith(`${MARK}${id} `));
  const mark = lines[at]?.trimEnd();
  if (mark === undefined) return undefined;
  const start = HEADING.test(lines[at - 1] ?? '') ? at - 1 : at;
  let end = at + 1;
  for (let next = afterBlank(lines, end); lines[next]?.trimEnd().endsWith(':'); next = afterBlank(lines, end)) {
    const quotation = afterBlank(lines, next + 1);
    if (!isQuotation(lines[quotation])) break;
    end = lines.findIndex((line, index) => index > quotation && !isQuotation(line));
    if (end === -1) end = lines.length;
  }
  return { mark, start, end: afterBlank(lines, end) };
}

const isQuotation = (line: string | undefined): boolean => line?.startsWith('>') ?? false;

function afterBlank(lines: readonly string[], from: number): number {
  const next = lines.findIndex((line, index) => index >= from && line.trim() !== '');
  return next === -1 ? lines.length : next;
}

/** The last line of a file may have none. */
function withEnd(lines: readonly string[], end: string): readonly string[] {
  const last = lines.at(-1);
  return last === undefined || last.endsWith(end) ? lines : lines.with(-1, `${last}${end}`);
}

function headingsIn(lines: readonly string[]) {
  let fence: string | undefined;
  return lines.flatMap((text, line) => {
    const [, opened] = /^\s{0,3}(`{3,}|~{3,})/.exec(text) ?? [];
    if (opened !== undefined && (fence === undefined || opened.startsWith(fence))) {
      fence = fence === undefined ? opened : undefined;
    }
    const [, marks, name] = HEADING.exec(text) ?? [];
    return fence !== undefined || marks === undefined || name === undefined
      ? []
      : [{ line, level: marks.length, text: withoutClosing(name) }];
  });
}

/** A heading may end with as many marks as it likes. */
function withoutClosing(name: string): string {
  const text = name.trimEnd();
  const last = [...text].findLastIndex((character) => character !== '#');
  return [...text]
    .slice(0, last + 1)
    .join('')
    .trimEnd();
}

function quoted(text: string): readonly string[] {
  return text
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${harmless(line)}`.trimEnd());
}

/** The name of a person may begin like a heading, a quotation or code. */
function named(who: string): string {
  return inline(who).replace(/^[#>`~]/, '\\$&');
}

function inline(text: string): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_TITLE ? line : `${characters.slice(0, MAX_TITLE).join('')}...`;
}

/** Readers of Markdown may take HTML seriously, and our own comments are HTML. */
function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => (character === '\t' ? character : '')).replaceAll('<', '&lt;');
}

function trimmed(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}
