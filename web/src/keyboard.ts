import { VIEWS } from '../../src/protocol/page-address.js';
import type { Question } from '../../src/protocol/question.js';
import { actAfterEnd, confirm, decide, stepBack } from './decide.js';
import { EMPTY } from './draft-versions.js';
import { draftFor, edit } from './drafts.js';
import { isFocusLeftover } from './focus-leftover.js';
import { go } from './go.js';
import { insertArrived, leave, move } from './list.js';
import { focusSearch } from './memory.js';
import { isDecided } from './outgoing.js';
import { change, current, type PartDraft } from './state.js';
import { undo } from './undo.js';

/** What the keys do; the help shows it too. */
export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j  k', 'next and previous question; elsewhere, next and previous line'],
  ['a .. l', 'choose the option with that letter'],
  ['t', 'write an answer'],
  ['Enter', 'answer (Ctrl+Enter or Cmd+Enter while writing)'],
  ['y', 'confirm what cannot be undone'],
  ['u', 'undo within five seconds, the latest first'],
  ['x', 'decline'],
  ['n', 'show what is new'],
  ['1 .. 6', 'Inbox, Board, Asks, Assumptions, Memory, Digest'],
  ['/', 'search the memory'],
  ['Esc', 'stop writing, step back'],
  ['?', 'this help'],
];

/** Letters for options, across all parts of a question; the missing ones have another meaning. */
const LETTERS = 'abcdefghilmopqrsvwyz';

export function letterOf(question: Question, partIndex: number, optionIndex: number): string | undefined {
  const optionsBefore = question.questions.slice(0, partIndex).flatMap(({ options = [] }) => options);
  return LETTERS[optionsBefore.length + optionIndex];
}

export function toggled({ text, optionIds }: PartDraft, id: string, isMultiple: boolean): PartDraft {
  if (!isMultiple) return { text, optionIds: [id] };
  const others = optionIds.filter((other) => other !== id);
  return { text, optionIds: optionIds.includes(id) ? others : [...others, id] };
}

export function listenToKeys(): void {
  document.addEventListener('keydown', noteAct, { capture: true });
  document.addEventListener('click', noteAct, { capture: true });
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isHelpOpen = document.querySelector('dialog[open]') !== null;
    // While a word is composed, its keys belong to the input method.
    if (event.isComposing || event.altKey || isHelpOpen) return;
    if (current().phase !== 'ready') return undoLocked(event);
    if (isStillTyping()) return;
    // A key held down keeps moving, but decides only once.
    if (event.repeat && isDecisive(event)) return event.preventDefault();
    const isWriting = target instanceof HTMLTextAreaElement || isLine(target);
    // A key that led to a field writes nothing there, however long it is held.
    if (!event.repeat) isForField = isWriting;
    else if (isWriting && !isForField && key.length === 1) return event.preventDefault();
    if (isCommand(event)) {
      if (key === 'Enter' && isWriting && target.closest('.question') !== null) answer(event);
      return;
    }
    if (key === 'Escape' && isWriting) target.blur();
    if (isWriting || target instanceof HTMLSelectElement) return;
    // Enter presses the focused button or link, except a clicked one and the row of the question that is shown.
    const isPressable = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
    const isMeant = isPressable && !target.matches('.row[aria-current]') && !isLeftover();
    if (key === 'Enter' && isMeant) return;
    press(event);
  });
}

/** Of what a locked page shows, only decisions can be reached by key. */
function undoLocked(event: KeyboardEvent): void {
  const { key, target, repeat } = event;
  if (current().phase === 'locked' && key === 'u' && !repeat && !isCommand(event) && !isLine(target)) undo();
}

/** Control, or the key that has its place on a Mac. */
const isCommand = ({ ctrlKey, metaKey }: KeyboardEvent): boolean => ctrlKey || metaKey;

/** Whether the stroke began in a field. */
let isForField = false;

const STILL_TYPING_MS = 1_500;
let lostAt = Number.NEGATIVE_INFINITY;
let isActing = false;

/** Until everything that follows at once from a key or a click is drawn. */
function noteAct(): void {
  isActing = true;
  setTimeout(() => {
    isActing = false;
  });
}

/**
 * The field in which a person writes may disappear or close because of what happened elsewhere. The person's next keys
 * are still meant for the field, and are no commands.
 */
export function noteLostField(focusedElement: Element | null): void {
  if (isActing || !(focusedElement instanceof HTMLTextAreaElement)) return;
  if (!focusedElement.isConnected || focusedElement.matches(':disabled')) lostAt = performance.now();
}

function isStillTyping(): boolean {
  const isSoon = performance.now() - lostAt < STILL_TYPING_MS;
  if (isSoon) lostAt = performance.now();
  return isSoon;
}

/** A field for one line of text. */
function isLine(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && (target.type === 'text' || target.type === 'search');
}

/** In the inbox, a click leaves the focus behind without a meaning. */
function isLeftover(): boolean {
  return current().view === 'inbox' && isFocusLeftover();
}

/** Enter presses buttons and sends forms as well; in a text it is a line break. */
function isDecisive(event: KeyboardEvent): boolean {
  const { key, target } = event;
  if (target instanceof HTMLTextAreaElement) return key === 'Enter' && isCommand(event);
  if (isLine(target)) return key === 'Enter';
  return key === 'Enter' || key === ' ' || (key.length === 1 && !MOVING.includes(key));
}

/** The scroll keys have longer names. */
const MOVING = 'jk';

function press(event: KeyboardEvent): void {
  const { key } = event;
  if (current().toConfirm !== undefined && CONFIRMING.includes(key)) answerDoubt(event);
  else if (key === '?') change({ isHelpOpen: true });
  else if (/^[1-6]$/.test(key)) go({ view: VIEWS[Number(key) - 1] ?? 'inbox' });
  else if (key === '/') search(event);
  else if (key === 'u') undo();
  else if (current().view !== 'inbox') moveFocus(key);
  else if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1);
  else if (key === 'n') insertArrived();
  else if (key === 't') writeInstead(event);
  else if (key === 'x') decline();
  else if (key === 'Enter') answer(event);
  else if (LETTERS.includes(key)) choose(key);
}

/** Without the stroke in the field. */
function search(event: KeyboardEvent): void {
  event.preventDefault();
  if (current().view !== 'memory') go({ view: 'memory' });
  focusSearch();
}

const CONFIRMING: readonly string[] = ['y', 'Escape', 'Enter'];

/** The key that asked for the confirmation does not confirm: pressed twice by mistake, it decides nothing. */
function answerDoubt(event: KeyboardEvent): void {
  const { key } = event;
  event.preventDefault();
  if (key === 'y') confirm();
  if (key === 'Escape') stepBack();
}

/** Moves from line to line of a view, among lines that can be pressed. */
function moveFocus(key: string): void {
  if (key !== 'j' && key !== 'k') return;
  const rows = [...document.querySelectorAll<HTMLElement>('.view [data-row]')];
  const index = rows.findIndex((row) => row.matches(':focus'));
  const next = key === 'j' ? index + 1 : index === -1 ? rows.length - 1 : index - 1;
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
}

function selectedQuestion(): Question | undefined {
  const { questions, selected } = current();
  return questions.find(({ id }) => id === selected);
}

function choose(letter: string): void {
  const question = selectedQuestion();
  if (question === undefined || isDecided(question.id)) return;
  const answeredIds = (question.responses ?? []).map(({ questionId }) => questionId);
  const draft = draftFor(current(), question.id);
  question.questions.forEach(({ id, options = [], multiSelect = false }, part) => {
    const option = options.find((_, index) => letterOf(question, part, index) === letter);
    if (option === undefined || answeredIds.includes(id)) return;
    edit(question, id, toggled(draft[id] ?? EMPTY, option.id, multiSelect));
  });
}

function writeInstead(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLTextAreaElement>('.question textarea:enabled');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

function answer(event: KeyboardEvent): void {
  const question = selectedQuestion();
  if (question === undefined) return;
  event.preventDefault();
  const endedQuestion = current().ended[question.id];
  const act = endedQuestion === undefined ? 'answer' : actAfterEnd(endedQuestion);
  if (endedQuestion !== undefined && !isCommand(event)) leave(question.id);
  else if (act !== undefined) decide(endedQuestion ?? question, act);
}

function decline(): void {
  const question = selectedQuestion();
  if (question !== undefined && current().ended[question.id] === undefined) decide(question, 'decline');
}
