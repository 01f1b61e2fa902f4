import type { Question, QuestionOption } from '../../protocol/question.js';
import { columnsOf, cutTo, spread } from '../../render/columns.js';
import { agentTitle, type Paint } from '../../render/conversation.js';
import { fallbackCountdown } from '../../render/countdown.js';
import { plainLine, plainText } from '../../render/plain-text.js';
import { wrapLine } from '../../render/wrap-line.js';
import { charactersOf, letterOf, NOWHERE, optionsOf, type PromptState, type Reach, takesText } from './prompt-state.js';

export interface PromptView {
  readonly paint: Paint;
  readonly width: number;
  readonly rows: number;
  readonly now: string;
}

const KEYS = 'up/down or a letter, Enter answers, Esc leaves it open';
const KEYS_MULTI = 'Space ticks, Enter answers, Esc leaves it open';
const KEYS_TEXT = 'Enter answers, Esc goes back';
const FINAL = 'It cannot be undone. ';

/** What stands above the answer. */
export interface PromptHead {
  readonly heading: string;
  /** `a fallback applies in 4:32`, or empty. */
  readonly countdown: string;
}

export function askedOf(question: Question, { part }: Pick<PromptState, 'part'>, now: string): PromptHead {
  const { questions, askedBy, kind } = question;
  const place = questions.length > 1 ? ` (${questions.indexOf(part) + 1} of ${questions.length})` : '';
  // The subject of an escalation stands above, with both positions.
  const heading =
    kind === 'escalation' ? (part.header ?? part.text) : `${agentTitle(askedBy.agent)} asks${place}: ${part.text}`;
  return { heading, countdown: fallbackCountdown(question, now) };
}

/** The question on the screen while it is answered: no line longer than the width, no more lines than `rows`. */
export function promptLines(promptHead: PromptHead, state: PromptState, view: PromptView): readonly string[] {
  const { paint, width, rows } = view;
  const { head, body, page } = layoutOf(promptHead, state, view);
  const foot = rows > FEW_ROWS ? [paint.quiet(cutTo(`    ${keysOf(state)}`, width))] : [];
  if (page === undefined) return [...head, ...body.lines, ...foot];
  const top = Math.min(state.scroll, page.end);
  const visibleLines = head.slice(top, top + page.size);
  const where = `    -- ${top + 1}-${top + visibleLines.length} of ${head.length} lines, PgUp/PgDn --`;
  const above = page.isMarked ? [...visibleLines, paint.waiting(cutTo(where, width))] : visibleLines;
  return [...above, ...windowOf(body, rows - foot.length - above.length), ...foot];
}

/** How far the scroll keys go: so many lines each time, and no further than the end. */
export function reachOf(promptHead: PromptHead, state: PromptState, view: PromptView): Reach {
  const { page } = layoutOf(promptHead, state, view);
  return page === undefined ? NOWHERE : { step: Math.max(1, page.size - 1), end: page.end };
}

/** The right edge of the countdown on wide terminals. */
const MAX_LINE = 84;
const LEAST_CHOICES = 3;
const FEW_ROWS = 8;

interface Layout {
  readonly head: readonly string[];
  readonly body: Body;
  /** For a head that is too long for the window: how many of its lines are shown, and where the last page begins. */
  readonly page?: { readonly size: number; readonly end: number; readonly isMarked: boolean };
}

/**
 * Everything at once if the window holds it. Otherwise the full text, with the options, scrolls above, and the options
 * stand below in short: nothing can be chosen that is not visible.
 */
function layoutOf(promptHead: PromptHead, state: PromptState, view: PromptView): Layout {
  const { rows } = view;
  const head = headLines(promptHead, view);
  const body = state.isTyping ? typingLines(state, view) : choiceLines(state, view, isWhole);
  const space = rows - (rows > FEW_ROWS ? 1 : 0);
  if (head.length + body.lines.length <= space) return { head, body };
  const all = [...head, ...optionLines(state, view)];
  const shortBody = state.isTyping ? body : choiceLines(state, view, isShort);
  const room = Math.max(1, space - Math.min(shortBody.lines.length, LEAST_CHOICES));
  if (all.length <= room) return { head: all, body: shortBody, page: { size: room, end: 0, isMarked: false } };
  const isMarked = room > 2;
  const size = isMarked ? room - 1 : room;
  return { head: all, body: shortBody, page: { size, end: all.length - size, isMarked } };
}

function keysOf({ isTyping, isFinal, part }: PromptState): string {
  const whenTyping = optionsOf(part).length === 0 ? KEYS_TEXT.replace('goes back', 'leaves it open') : KEYS_TEXT;
  const whenChoosing = part.multiSelect === true ? KEYS_MULTI : KEYS;
  return `${isFinal ? FINAL : ''}${isTyping ? whenTyping : whenChoosing}`;
}

function headLines({ heading, countdown }: PromptHead, { paint, width }: PromptView): readonly string[] {
  const text = plainText(heading)
    .trim()
    .split('\n')
    .flatMap((line) => wrapLine(line, width - 4, { isDrawn: true }));
  const [first = '', ...more] = text;
  const room = Math.min(width, MAX_LINE) - 4;
  const fits = columnsOf(first) + columnsOf(countdown) + 2 <= room;
  const line = countdown === '' || !fits ? first : spread(first, countdown, room);
  const end = line.length - (fits ? countdown.length : 0);
  return [
    `  ${paint.waiting('?')} ${paint.name(line.slice(0, end))}${paint.waiting(line.slice(end))}`,
    ...more.map((rest) => `    ${paint.name(rest)}`),
    ...(countdown === '' || fits ? [] : [`    ${paint.waiting(cutTo(countdown, width - 4))}`]),
  ];
}

/** The input area, and the lines that must stay visible. */
interface Body {
  readonly lines: readonly string[];
  readonly at: number;
  readonly count: number;
}

/** How much of an option is shown: all of it at the pointer, elsewhere one line. */
type Amount = (isHere: boolean) => { readonly label: number; readonly why: number };
const isWhole: Amount = (isHere) =>
  isHere ? { label: Number.POSITIVE_INFINITY, why: Number.POSITIVE_INFINITY } : { label: 1, why: 3 };
const isShort: Amount = () => ({ label: 1, why: 0 });

function choiceLines({ part, pointer, ticked }: PromptState, view: PromptView, amount: Amount): Body {
  const { paint, width } = view;
  const options = optionsOf(part);
  const choices = [...options.map(({ label }) => plainLine(label)), ...(takesText(part) ? ['Something else...'] : [])];
  const blocks = choices.map((label, index) => {
    const option = options[index];
    const box = part.multiSelect !== true || option === undefined ? '' : ticked.includes(option.id) ? '[x] ' : '[ ] ';
    const isHere = index === pointer;
    const limits = amount(isHere);
    const mark = option?.recommended === true ? '  recommended' : '';
    const line = `  ${isHere ? '>' : ' '} ${box}${letterOf(part, index)}) `;
    const room = Math.max(1, width - columnsOf(line) - mark.length);
    const [first = '', ...more] = limits.label > 1 ? wrapLine(label, room, { isDrawn: true }) : [cutTo(label, room)];
    const margin = ' '.repeat(columnsOf(line));
    const shownLines = [`${line}${first}`, ...more.map((rest) => `${margin}${rest}`)].map((text) => cutTo(text, width));
    const why = whyLines(option, width).slice(0, limits.why);
    const last = shownLines.length - 1;
    const marked = (text: string) => paint.quiet(cutTo(mark, Math.max(0, width - columnsOf(text))));
    return [
      ...shownLines.map((text, row) => `${isHere ? paint.good(text) : text}${row === last ? marked(text) : ''}`),
      ...why.map((text) => paint.quiet(text)),
    ];
  });
  const at = blocks.slice(0, Math.max(0, pointer)).reduce((sum, block) => sum + block.length, 0);
  return { lines: blocks.flat(), at, count: blocks[pointer]?.length ?? 1 };
}

/** The options in full. */
function optionLines({ part }: PromptState, { paint, width }: PromptView): readonly string[] {
  return optionsOf(part).flatMap((option, index) => {
    const label = `    ${letterOf(part, index)}) `;
    const labelText = `${plainLine(option.label)}${option.recommended === true ? ' (recommended)' : ''}`;
    const lines = wrapLine(labelText, Math.max(1, width - label.length), { isDrawn: true });
    return [
      ...lines.map((line, row) => cutTo(`${row === 0 ? label : ' '.repeat(label.length)}${line}`, width)),
      ...whyLines(option, width).map((text) => paint.quiet(text)),
    ];
  });
}

function whyLines(option: QuestionOption | undefined, width: number): readonly string[] {
  if (option?.description === undefined) return [];
  return wrapLine(plainLine(option.description), width - 7, { isDrawn: true }).map((text) =>
    cutTo(`       ${text}`, width),
  );
}

function typingLines({ text, cursor }: PromptState, { paint, width }: PromptView): Body {
  const characters = charactersOf(plainText(text).replaceAll('\t', ' '));
  const pointedCharacter = characters[cursor] ?? ' ';
  const [cursorText, rest] = pointedCharacter === '\n' ? [' ', '\n'] : [pointedCharacter, ''];
  const markedText = [...characters.slice(0, cursor), MARK, rest, ...characters.slice(cursor + 1)].join('');
  const lines = markedText.split('\n').flatMap((line) => wrapLine(line, width - 5, { isDrawn: true }));
  const at = lines.findIndex((line) => line.includes(MARK));
  const shownLines = lines.map((line, index) => {
    const [before = '', after] = line.split(MARK);
    const cell = after === undefined ? '' : `\u001b[7m${cursorText}\u001b[27m`;
    return `${index === 0 ? `  ${paint.good('>')} ` : '    '}${before}${cell}${after ?? ''}`;
  });
  return { lines: shownLines, at, count: 1 };
}

/** Marks the cursor while lines are wrapped; it cannot be typed. */
const MARK = '\u0000';

/** As many lines as fit, around the one that must be visible and as much as possible of what belongs to it. */
function windowOf({ lines, at, count }: Body, rows: number): readonly string[] {
  const size = Math.max(1, rows);
  const start = Math.min(at, Math.max(at + count - size, at - Math.floor(size / 2)), lines.length - size);
  return lines.slice(Math.max(0, start), Math.max(0, start) + size);
}
