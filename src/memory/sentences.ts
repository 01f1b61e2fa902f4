import { FAILED } from './setting.js';

/*
 * Text as people and agents write it in sessions, taken apart into sentences, each with the heading that it stands under.
 * Code, tables, quoted output and drawn lines are left out: they are in the files, or were on the screen only.
 */

export interface Sentence {
  readonly text: string;
  /** The nearest heading above, as it was written, or an empty text. */
  readonly heading: string;
  /** Sentences with the same number follow each other in one paragraph or item. */
  readonly paragraph: number;
  readonly isItem: boolean;
  /** What its message shows above it, in a fence: a change of code, or a failure. */
  readonly shown: Shown | undefined;
}

type Shown = 'changed' | 'failed';

export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let heading = '';
  /** What stood above a heading that ends with a colon: that one is over with its list. */
  let headingAbove: string | undefined;
  let paragraph = 0;
  const blocks = blocksOf(text);
  for (const [index, block] of blocks.entries()) {
    paragraph++;
    const title = headingOf(block, blocks[index + 1]);
    if (headingAbove !== undefined && !block.isItem && blocks[index - 1]?.isItem === true) {
      heading = headingAbove;
      headingAbove = undefined;
    }
    if (title === undefined)
      for (const part of partsOf(block.text)) {
        const { isItem, shown } = block;
        sentences.push({ text: part, heading, paragraph, isItem, shown });
      }
    // "Where could we save? Ideas:": what is offered below is not what was said.
    const next = title ?? (blocks[index + 1]?.isItem === true ? titleOf(block.text) : undefined);
    if (next === undefined) continue;
    headingAbove = block.text.endsWith(':') ? (headingAbove ?? heading) : undefined;
    heading = next;
  }
  return sentences;
}

interface Block {
  readonly text: string;
  readonly isItem: boolean;
  readonly shown: Shown | undefined;
}

/** A longer line is data; the patterns below would take minutes for a megabyte of it. */
const LONGEST_LINE = 20_000;
const LONGEST_SENTENCE = 2_000;

/** Lines that belong together: those of a paragraph that was wrapped, and those of an item of a list. */
function blocksOf(text: string): readonly Block[] {
  const blocks: { text: string; isItem: boolean; shown: Shown | undefined; isOpen: boolean; width: number }[] = [];
  let shown: Shown | undefined;
  for (const line of withoutDifferences(withoutCode(text).split(/\r?\n/))) {
    const last = blocks.at(-1);
    const content = line.slice(0, LONGEST_LINE).trim();
    if (content === CHANGE_SHOWN || content === FAILURE_SHOWN) shown = content === CHANGE_SHOWN ? 'changed' : 'failed';
    if (content === '' || (isNoText(content) && listedFile(content) === undefined)) {
      if (last !== undefined) last.isOpen = false;
      continue;
    }
    const item =
      listedFile(content) ??
      /^(?:[-*+\u2022\u2013]|\d{1,2}[.)]|[a-d][).]|\[[ xX]\]|- \[[ xX]\]|\u2705|\u2713|\u2714)\s+(.*)$/.exec(
        content,
      )?.[1];
    const width = line.length;
    if (item === undefined && last?.isOpen === true && isContinued(last, content)) {
      last.text += ` ${content}`;
      last.width = width;
    } else {
      const isItem = item !== undefined;
      const text = (item ?? content).replace(/^\[[ xX]\]\s+/, '');
      blocks.push({ text, isItem, shown, isOpen: true, width });
    }
  }
  return blocks;
}

/** Fenced code; an unclosed fence reaches to the end. */
function withoutCode(text: string): string {
  return text
    .replace(/^[ \t>]*(```+|~~~+)[^`\n]*\n[\s\S]*?(?:^[ \t>]*\1[ \t]*$|(?![\s\S]))/gm, (code) => `\n${signOf(code)}\n`)
    .replace(/^(?: {4}|\t)(?![-*+\d\s]).*[;{})=]\s*$/gm, '');
}

function signOf(code: string): string {
  if (/^(?:<{5,} SEARCH|@@ |\+\+\+ )/m.test(code)) return CHANGE_SHOWN;
  return FAILED.test(code) ? FAILURE_SHOWN : '';
}

/** These stand for code that shows what was changed, or what failed. */
const CHANGE_SHOWN = '+++';
const FAILURE_SHOWN = '!!!';

/** A row of a table that tells what was done to a file. */
function listedFile(line: string): string | undefined {
  const [, file, change] = /^\|\s*(`[^`|]+`)\s*\|\s*([^|]*\S)\s*\|$/.exec(line) ?? [];
  return file === undefined ? undefined : `${file}: ${change}`;
}

/** Without the lines that the head of a part of a difference announces. */
function withoutDifferences(lines: readonly string[]): readonly string[] {
  let [oldLines, addedLines] = [0, 0];
  return lines.filter((line) => {
    const [isHead, oldCount = '1', addedCount = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    const isPart = isHead === undefined && (oldLines > 0 || addedLines > 0) && /^(?:[ +\\-]|$)/.test(line);
    if (isHead !== undefined) [oldLines, addedLines] = [Number(oldCount), Number(addedCount)];
    else if (!isPart) [oldLines, addedLines] = [0, 0];
    else if (!line.startsWith('\\'))
      [oldLines, addedLines] = [oldLines - (line[0] === '+' ? 0 : 1), addedLines - (line[0] === '-' ? 0 : 1)];
    return !isPart;
  });
}

const LONGEST_BROKEN = 4000;

/** A line that was broken for its width goes on with a small letter, or stops in the middle. */
function isContinued(
  { text: before, width }: { readonly text: string; readonly width: number },
  next: string,
): boolean {
  // No line that was broken for its width is that long.
  if (before.length > LONGEST_BROKEN) return false;
  if (/^#{1,6}\s|^\*\*[^*]+\*\*:?$/.test(next) || /^#{1,6}\s/.test(before)) return false;
  if (/[:.!?]["')\]*]*$/.test(before)) return /[.!?]["')\]*]*$/.test(before) && /[.!?]/.test(next) && next.length > 20;
  return (
    (width >= NARROWEST && width <= WIDEST) ||
    (before.length > 40 && /^[a-z0-9`'"(]/.test(next)) ||
    /(?:,|\b(?:and|or|the|a|an|to|of|for|with|in|on|that|which|is|are|because|from|by|as|at|not))$/i.test(before)
  );
}

/** Text is broken at these widths. */
const NARROWEST = 60;
const WIDEST = 120;

const NO_TEXT = [
  // Drawn lines, tables, quotes of output.
  /^[\W_]*$/,
  /^\|.*\|$/,
  /^(?:[-+]{3}|@@|diff --git|index [0-9a-f]{6,}|[<>]{7})/,
  // Code.
  /^(?:import|export|const|let|var|function|class|def|return|if|for|while|public|private|protected|async|await|type|interface|from|package|using|namespace|SELECT|INSERT|UPDATE|CREATE|ALTER)\b.*[;{(,)\]=]\s*$/,
  /[;{]\s*$|^[})\]]+[;,]?$|=>\s*[{(]|^\s*<\/?[a-z][\w-]*[ >/]|^@\w+[.(]/,
  /^[+-]\s{0,4}(?:import|const|let|return|if|}|\)|<)/,
  // Stacks, line numbers, logs that are no errors.
  /^at .+[:(]|^File ".+", line \d+|^\d+\s*[|:\u2502]\s/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s+\[?(?:INFO|DEBUG|TRACE|LOG|VERBOSE)/i,
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\s(?!.*\b(?:error|fatal|warn\w*)\b)/i,
  /^(?:INFO|DEBUG|TRACE|VERBOSE)\b/,
  // Who comes to a chat and leaves it.
  /^(?:\S{4,10} )?(?:-!-|\*{3}) \S+ /,
  // What a program shows while it works.
  /\b(?:esc|ctrl[+-]c) to (?:interrupt|cancel|stop)\b/i,
];

function isNoText(line: string): boolean {
  return NO_TEXT.some((pattern) => pattern.test(line));
}

/** `All green. Here is what I changed:`, above a list. */
function titleOf(text: string): string | undefined {
  return /[.!?] ([^.!?]{2,60}):$/.exec(text)?.[1];
}

/** `## Decisions`, `**What changed**`, `Key decisions:` on a line of its own. */
function headingOf({ text, isItem }: Block, next: Block | undefined): string | undefined {
  const markedTitle =
    /^#{1,6}\s+(.+?)\s*#*$/.exec(text)?.[1] ?? /^(?:\d{1,2}[.)]\s+)?[_*]{2}([^*]{2,60}?)[_*]{2}:?$/.exec(text)?.[1];
  const titleWithColon = /^([^.!?]{2,60}):$/.exec(text)?.[1];
  const plainTitle =
    titleWithColon !== undefined && (!isItem || titleWithColon.split(/\s+/).length <= 5) ? titleWithColon : undefined;
  const titleOfList =
    !isItem && next?.isItem === true && /^\p{Lu}[^.!?;,]{3,40}[^.!?;,:]$/u.test(text) ? text : undefined;
  const title = markedTitle ?? plainTitle ?? titleOfList;
  return title === undefined ? undefined : title.replace(/[*_`:#]|^\d+[.)]\s*|[^\p{L}\p{N})]+$/gu, '').trim();
}

const ABBREVIATIONS = '(?:\\s\\.\\.|\\b(?:e\\.g|i\\.e|etc|vs|cf|approx|incl|resp|a\\.m|p\\.m|[Nn]o))';

/** People who type in a hurry begin sentences with small letters. */
const SMALL_BEGINNING = `(?<=[\\p{L}\\p{N})\`][.!?])(?<!${ABBREVIATIONS}[.!?])\\s+(?=[a-z][\\w.'-]*(?::? [a-z(\`\\d]|\\?$))`;

const BETWEEN = new RegExp(`(?<=[.!?]["')\\]]?)(?<!${ABBREVIATIONS}[.!?])\\s+(?=[^a-z\\s])|${SMALL_BEGINNING}`, 'u');

function partsOf(block: string): readonly string[] {
  return withoutMarks(block)
    .replace(/^>+\s*/, '')
    .split(BETWEEN)
    .filter((part) => part.length <= LONGEST_SENTENCE)
    .map((part) => withoutOpening(inOneLine(part)))
    .filter((part) => part !== '');
}

function withoutMarks(block: string): string {
  return /[*_]/.test(block)
    ? block.replace(/`[^`]*`|\*\*|(?<!\w)__|__(?!\w)|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])/g, (mark) =>
        mark.startsWith('`') ? mark : '',
      )
    : block;
}

/** With one space between two words. Most texts have that already. */
export function inOneLine(text: string): string {
  return /[^\S ]|\s\s/.test(text) ? text.replace(/\s+/g, ' ').trim() : text.trim();
}

/** `ok. we decided ...`: the first word says nothing. */
function withoutOpening(text: string): string {
  const rest = text.replace(
    /^(?:(?:ok(?:ay)? |(?:that(?:'s| is| was) it|found it|ok(?:ay)?|right|yes|yep|no|great|nice|thanks|thank you|sure|done|understood|noted|got it|good(?: call| point| catch)?|makes sense|perfect|fine|cool|hmm+|hi|hello|alles klar|super|genau|gut)[.,!:;]+\s|(?:yes|yep|ja) (?=\d|use |keep |with |only )|(?:go ahead|ship it|merge it|open the pr)(?: with [^,.]{1,30})?,? (?:and|but) )\s*)+/i,
    '',
  );
  return rest === text ? text : rest.charAt(0).toUpperCase() + rest.slice(1);
}
