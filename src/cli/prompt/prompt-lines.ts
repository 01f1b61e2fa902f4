import type { Question } from '../../protocol/question.js';
import { columnsOf, cutTo, spread } from '../../render/columns.js';
import { agentTitle, type Paint } from '../../render/conversation.js';
import { fallbackCountdown } from '../../render/countdown.js';
import { plainLine, plainText } from '../../render/plain-text.js';
import { wrapLine } from '../../render/wrap-line.js';
import { letterOf, optionsOf, type PromptState, takesText } from './prompt-state.js';

export interface PromptView {
  readonly paint: Paint;
  readonly width: number;
  readonly rows: number;
  readonly now: string;
}

const KEYS = 'up/down or a letter, Enter answers, Esc leaves it open';
const KEYS_MULTI = 'Space ticks, Enter answers, Esc leaves it open';
const KEYS_TEXT = 'Enter answers, Esc goes back';

/** The question as it stands on the screen while it is answered: no line longer than the width, no more than `rows`. */
export function promptLines(question: Question, state: PromptState, view: PromptView): readonly string[] {
  const { paint, width, rows } = view;
  const head = headLines(question, state, view);
  const body = state.isTyping ? typingLines(state, view) : choiceLines(state, view);
  const { part } = state;
  const keys = state.isTyping ? KEYS_TEXT : part.multiSelect === true ? KEYS_MULTI : KEYS;
  const foot = rows > 8 ? [paint.quiet(cutTo(`    ${keys}`, width))] : [];
  // The choice matters most: a window that is too small loses the end of a long question first.
  const least = Math.min(body.lines.length, LEAST_CHOICES);
  const asked = head.slice(0, Math.max(1, rows - foot.length - least));
  return [...asked, ...windowOf(body, rows - foot.length - asked.length), ...foot];
}

/** Where the countdown ends, however wide the terminal is. */
const MAX_LINE = 84;
const LEAST_CHOICES = 3;
const MAX_LABEL_LINES = 4;

function headLines(question: Question, { part }: PromptState, { paint, width, now }: PromptView): readonly string[] {
  const { questions, askedBy } = question;
  const place = questions.length > 1 ? ` (${questions.indexOf(part) + 1} of ${questions.length})` : '';
  const who = question.kind === 'escalation' ? '' : `${agentTitle(askedBy.agent)} asks${place}: `;
  // What an escalation is about stands above, with both positions.
  const asked = question.kind === 'escalation' ? (part.header ?? part.text) : part.text;
  const text = `${who}${plainText(asked).trim()}`.split('\n').flatMap((line) => wrapLine(line, width - 4));
  const countdown = fallbackCountdown(question, now);
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

/** What is answered with, and the line that must be seen. */
interface Body {
  readonly lines: readonly string[];
  readonly at: number;
}

function choiceLines({ part, pointer, ticked }: PromptState, { paint, width }: PromptView): Body {
  const options = optionsOf(part);
  const choices = [...options.map(({ label }) => plainLine(label)), ...(takesText(part) ? ['Something else...'] : [])];
  const blocks = choices.map((label, index) => {
    const option = options[index];
    const box = part.multiSelect !== true || option === undefined ? '' : ticked.includes(option.id) ? '[x] ' : '[ ] ';
    const isHere = index === pointer;
    const mark = option?.recommended === true ? '  recommended' : '';
    const line = `  ${isHere ? '>' : ' '} ${box}${letterOf(part, index)}) `;
    const room = Math.max(1, width - columnsOf(line) - mark.length);
    // All of it is read where the pointer is; elsewhere a line is enough to find it.
    const [first = '', ...more] = isHere ? wrapLine(label, room).slice(0, MAX_LABEL_LINES) : [cutTo(label, room)];
    const margin = ' '.repeat(columnsOf(line));
    const shown = [`${line}${first}`, ...more.map((rest) => `${margin}${rest}`)].map((text) => cutTo(text, width));
    const why = option?.description === undefined ? [] : wrapLine(plainLine(option.description), width - 7).slice(0, 3);
    const last = shown.length - 1;
    const marked = (text: string) => paint.quiet(cutTo(mark, Math.max(0, width - columnsOf(text))));
    return [
      ...shown.map((text, row) => `${isHere ? paint.good(text) : text}${row === last ? marked(text) : ''}`),
      ...why.map((text) => paint.quiet(`       ${text}`)),
    ];
  });
  const at = blocks.slice(0, pointer).reduce((sum, block) => sum + block.length, 0);
  return { lines: blocks.flat(), at };
}

function typingLines({ text, cursor }: PromptState, { paint, width }: PromptView): Body {
  const characters = [...plainText(text).replaceAll('\t', ' ')];
  const here = characters[cursor] ?? ' ';
  const marked = [...characters.slice(0, cursor), MARK, ...characters.slice(cursor + 1)].join('');
  const lines = wrapLine(marked, width - 5);
  const at = lines.findIndex((line) => line.includes(MARK));
  const shown = lines.map((line, index) => {
    const [before = '', after] = line.split(MARK);
    const cell = after === undefined ? '' : `\u001b[7m${here}\u001b[27m`;
    return `${index === 0 ? `  ${paint.good('>')} ` : '    '}${before}${cell}${after ?? ''}`;
  });
  return { lines: shown, at };
}

/** Stands for the cursor while lines are wrapped; nobody can type it. */
const MARK = '\u0000';

function windowOf({ lines, at }: Body, rows: number): readonly string[] {
  const count = Math.max(1, rows);
  const start = Math.max(0, Math.min(at - Math.floor(count / 2), lines.length - count));
  return lines.slice(start, start + count);
}
