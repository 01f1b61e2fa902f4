import { decide, draftFor, edit, insertArrived, leave, move, show, undo } from './actions.js';
import { change, current, VIEWS } from './state.js';

/** What the keys do, for the help as well. */
export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j  k', 'next and previous question'],
  ['a .. l', 'choose an option'],
  ['t', 'write an answer'],
  ['Enter', 'answer (Ctrl+Enter while writing)'],
  ['u', 'undo within five seconds'],
  ['x', 'decline'],
  ['n', 'show what is new'],
  ['1 .. 5', 'Inbox, Board, Asks, Assumptions, Digest'],
  ['Esc', 'stop writing, close this'],
  ['?', 'this help'],
];

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isWriting =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
    if (event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (key === 'Enter' && isWriting) answer(event);
      return;
    }
    if (key === 'Escape') {
      if (target instanceof HTMLElement && isWriting) target.blur();
      change({ isHelpOpen: false });
      return;
    }
    if (isWriting) return;
    // Enter on a button or a link means that one.
    if (key === 'Enter' && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement)) return;
    press(event);
  });
}

function press(event: KeyboardEvent): void {
  const { key } = event;
  if (key === '?') change({ isHelpOpen: !current().isHelpOpen });
  else if (/^[1-5]$/.test(key)) void show(VIEWS[Number(key) - 1] ?? 'inbox');
  else if (key === 'u') undo();
  else if (current().view !== 'inbox') return;
  else if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1);
  else if (key === 'n') insertArrived();
  else if (key === 't') writeInstead(event);
  else if (key === 'x') decline();
  else if (key === 'Enter') answer(event);
  else if (/^[a-l]$/.test(key)) choose(key);
}

function selectedQuestion() {
  const { questions, selected } = current();
  return questions.find(({ id }) => id === selected);
}

function choose(letter: string): void {
  const question = selectedQuestion();
  const part = question?.questions[0];
  const option = part?.options?.[letter.charCodeAt(0) - 'a'.charCodeAt(0)];
  if (question === undefined || part === undefined || option === undefined) return;
  const { text = '', optionIds = [] } = draftFor(current(), question.id)[part.id] ?? {};
  const others = part.multiSelect ? optionIds.filter((id) => id !== option.id) : [];
  const isTakenBack = part.multiSelect === true && optionIds.includes(option.id);
  edit(question, part.id, { text, optionIds: isTakenBack ? others : [...others, option.id] });
}

function writeInstead(event: KeyboardEvent): void {
  event.preventDefault();
  document.querySelector<HTMLTextAreaElement>('.question textarea')?.focus();
}

function answer(event: KeyboardEvent): void {
  const question = selectedQuestion();
  if (question === undefined) return;
  event.preventDefault();
  if (current().ended[question.id] !== undefined) leave(question.id);
  else decide(question, 'answer', 'Answer');
}

function decline(): void {
  const question = selectedQuestion();
  if (question !== undefined) decide(question, 'decline', 'Decline');
}
