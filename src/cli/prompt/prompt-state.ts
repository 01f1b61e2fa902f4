import type { QuestionOption, QuestionPart } from '../../protocol/question.js';
import type { Key } from './keyboard.js';

/*
 * One part of a question being answered: a person chooses among options, or types. Where there are options, typing is
 * the last choice, and Escape leads back from it; Escape from the choice leaves the question open. Nothing is sent
 * before Enter: a letter only goes to its option, or ticks it where several may be chosen. What does not fit the window
 * is read with PgUp and PgDn, or with Ctrl-B and Ctrl-F as in a pager. Ctrl-D leaves like Escape where nothing is typed.
 * A text that is pasted keeps its lines. The cursor goes from one character to the next as people see them. Where the
 * answer cannot be undone, nothing is chosen at first: Enter alone, or held, decides nothing.
 */

export interface PromptState {
  readonly part: QuestionPart;
  readonly isTyping: boolean;
  /** Index of the choice; the one behind the last option is text. */
  readonly pointer: number;
  /** What is answered here cannot be undone. */
  readonly isFinal: boolean;
  readonly ticked: readonly string[];
  readonly text: string;
  readonly cursor: number;
  readonly isPasting: boolean;
  /** How many lines of a tall question are scrolled out above the window. */
  readonly scroll: number;
}

/** How far one key scrolls, and where the end is. */
export interface Reach {
  readonly step: number;
  readonly end: number;
}

export const NOWHERE: Reach = { step: 0, end: 0 };

export type Answer = { readonly optionIds: readonly string[] } | { readonly text: string };

export type Press =
  | { readonly type: 'changed'; readonly state: PromptState }
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'leave' };

/** No choice yet. */
const NONE = -1;

export function openPrompt(part: QuestionPart, { isFinal = false } = {}): PromptState {
  const options = optionsOf(part);
  const recommendedIndex = options.findIndex((option) => option.recommended === true);
  return {
    part,
    isTyping: options.length === 0,
    pointer: isFinal ? NONE : Math.max(0, recommendedIndex),
    isFinal,
    ticked: [],
    text: '',
    cursor: 0,
    isPasting: false,
    scroll: 0,
  };
}

export function press(state: PromptState, key: Key, { step, end }: Reach = NOWHERE): Press {
  const scrolled = (lines: number) => changed(state, { scroll: Math.max(0, Math.min(end, state.scroll + lines)) });
  if (key.name === 'pageup' || (key.isCtrl && key.name === 'b')) return scrolled(-step);
  if (key.name === 'pagedown' || (key.isCtrl && key.name === 'f')) return scrolled(step);
  if (key.name === 'paste-start') return changed(state, { isPasting: true });
  if (key.name === 'paste-end') return changed(state, { isPasting: false });
  return state.isTyping ? pressTyping(state, key) : pressChoosing(state, key);
}

export function optionsOf({ options = [] }: QuestionPart): readonly QuestionOption[] {
  return options;
}

export function takesText({ allowText }: QuestionPart): boolean {
  return allowText !== false;
}

const LETTERS: readonly string[] = [...'abcdefghijklmnopqrstuvwxyz'];

/** The key of a choice: its id if all ids are letters, else its number; for text, the first free letter. */
export function letterOf(part: QuestionPart, index: number): string {
  const options = optionsOf(part);
  const ids = options.map(({ id }) => id);
  const letters = ids.every((id) => LETTERS.includes(id)) ? ids : LETTERS.slice(0, options.length);
  return letters[index] ?? LETTERS.find((letter) => !letters.includes(letter)) ?? '';
}

function pressChoosing(state: PromptState, { text, name, isCtrl }: Key): Press {
  const { part, pointer, isPasting } = state;
  const options = optionsOf(part);
  const count = options.length + (takesText(part) ? 1 : 0);
  if (isPasting) return changed(state, {});
  if (isCtrl && name === 'd') return { type: 'leave' };
  switch (name) {
    case 'up':
      return changed(state, { pointer: (Math.max(0, pointer) + count - 1) % count });
    case 'down':
    case 'tab':
      return changed(state, { pointer: (pointer + 1) % count });
    case 'home':
      return changed(state, { pointer: 0 });
    case 'end':
      return changed(state, { pointer: count - 1 });
    case 'escape':
      return { type: 'leave' };
    case 'space':
      return tick(state, pointer);
    case 'return':
    case 'enter':
      return choose(state);
  }
  const index = Array.from({ length: count }, (_, place) => letterOf(part, place)).indexOf(text.toLowerCase());
  if (text === '' || index === -1) return changed(state, {});
  return tick({ ...state, pointer: index }, index);
}

function tick(state: PromptState, index: number): Press {
  const { part, ticked } = state;
  const option = optionsOf(part)[index];
  if (part.multiSelect !== true || option === undefined) return changed(state, {});
  const { id } = option;
  return changed(state, { ticked: ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id] });
}

function choose(state: PromptState): Press {
  const { part, pointer, ticked } = state;
  const options = optionsOf(part);
  const option = options[pointer];
  if (option === undefined) return changed(state, { isTyping: pointer !== NONE });
  if (part.multiSelect !== true || ticked.length === 0) return { type: 'answer', answer: { optionIds: [option.id] } };
  return { type: 'answer', answer: { optionIds: options.map(({ id }) => id).filter((id) => ticked.includes(id)) } };
}

function pressTyping(state: PromptState, { text, name, isCtrl }: Key): Press {
  const { cursor, isPasting } = state;
  const all = charactersOf(state.text);
  const before = all.slice(0, cursor);
  const after = all.slice(cursor);
  const typed = (head: readonly string[], right: readonly string[] = after) => {
    const start = head.join('');
    return changed(state, { text: `${start}${right.join('')}`, cursor: charactersOf(start).length });
  };
  if (name === 'return' || name === 'enter') {
    if (isPasting) return typed([...before, '\n']);
    const answer = state.text.trim();
    return answer === '' ? changed(state, {}) : { type: 'answer', answer: { text: answer } };
  }
  if (text !== '') return typed([...before, text]);
  switch (isCtrl ? `ctrl-${name}` : name) {
    case 'escape':
      return leaveText(state);
    case 'ctrl-d':
      return state.text === '' ? leaveText(state) : typed(before, after.slice(1));
    case 'backspace':
    case 'ctrl-h':
      return typed(before.slice(0, -1));
    case 'delete':
      return typed(before, after.slice(1));
    case 'left':
      return changed(state, { cursor: Math.max(0, cursor - 1) });
    case 'right':
      return changed(state, { cursor: Math.min(before.length + after.length, cursor + 1) });
    case 'home':
    case 'ctrl-a':
      return changed(state, { cursor: 0 });
    case 'end':
    case 'ctrl-e':
      return changed(state, { cursor: before.length + after.length });
    case 'ctrl-u':
      return typed([]);
    case 'ctrl-w':
      return typed([before.join('').replace(/\S+\s*$/, '')]);
    default:
      return changed(state, {});
  }
}

function leaveText(state: PromptState): Press {
  return optionsOf(state.part).length === 0 ? { type: 'leave' } : changed(state, { isTyping: false });
}

const segmenter = new Intl.Segmenter();

/** Characters as people see them: a letter with its accents is one, and so is an emoji of a family. */
export function charactersOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function changed(state: PromptState, change: Partial<PromptState>): Press {
  return { type: 'changed', state: { ...state, ...change } };
}
