import type { Question } from '../../src/protocol/question.js';
import { walk } from './address.js';
import { dropGiven, hasDraft, takeDrafts } from './drafts.js';
import { dropArrived } from './notices.js';
import { byDeadline, change, current } from './state.js';

/* The list does not move while a person uses it: new questions wait, ended ones stay in place. */

export function added(question: Question): void {
  const { questions, arrived, ended, selected } = current();
  if ([...questions, ...arrived].some(({ id }) => id === question.id)) return;
  // Below ended questions nothing moves, and the only waiting question is shown without a request.
  const isFree = arrived.length === 0 && questions.every(({ id }) => ended[id] !== undefined);
  if (isFree)
    change({ questions: [...questions, question], selected: questions.length === 0 ? question.id : selected });
  else change({ arrived: [...arrived, question] });
}

/** On request: ended questions go, new ones come. */
export function insertArrived(): void {
  tidy();
  const { questions, arrived, selected } = current();
  const all = [...questions, ...arrived].toSorted(byDeadline);
  change({ questions: all, arrived: [], selected: selected ?? all[0]?.id });
}

export function updated(question: Question): void {
  const replace = (list: readonly Question[]) => list.map((other) => (other.id === question.id ? question : other));
  change({ questions: replace(current().questions), arrived: replace(current().arrived) });
  takeDrafts([question]);
  dropArrived(question);
}

/** A question ended, here or elsewhere. */
export function resolved(id: string, end: Pick<Question, 'outcome' | 'answeredBy' | 'responses' | 'reason'>): void {
  const { questions, arrived, outgoing } = current();
  change({ arrived: arrived.filter((other) => other.id !== id) });
  const question = questions.find((other) => other.id === id);
  // Our own decision is on its way: the server's answer to it says how it went.
  const isOurs = outgoing.some(({ decision }) => 'question' in decision && decision.question.id === id);
  if (question === undefined || isOurs) return;
  ended({ ...question, ...end, status: 'resolved', revision: question.revision + 1 });
}

export function ended(question: Question): void {
  change({ ended: { ...current().ended, [question.id]: question } });
  dropGiven(question);
  dropArrived(question);
  if (current().toConfirm?.id === question.id) change({ toConfirm: undefined });
}

/** Shows a question that may not be in the list, such as one that ended before this visit. */
export function bring(question: Question): void {
  const { questions, arrived } = current();
  const isListed = [...questions, ...arrived].some(({ id }) => id === question.id);
  if (!isListed) change({ questions: [...questions, question], selected: current().selected ?? question.id });
  if (question.status === 'resolved') ended(question);
  updated(question);
}

/** Removes ended questions, except the one that is shown and those with a draft. */
export function tidy(): void {
  const { questions, ended, selected } = current();
  const isOver = (id: string) => ended[id] !== undefined && id !== selected && !hasDraft(id);
  if (questions.some(({ id }) => isOver(id))) change({ questions: questions.filter(({ id }) => !isOver(id)) });
}

/** Takes a question off the list; if it was shown, the next one is. */
export function leave(id: string): void {
  const { questions, selected, ended } = current();
  const index = questions.findIndex((other) => other.id === id);
  const remainingQuestions = questions.filter((other) => other.id !== id);
  const { [id]: _, ...others } = ended;
  change({ questions: remainingQuestions, ended: others });
  if (selected === id) select(remainingQuestions[Math.min(index, remainingQuestions.length - 1)]?.id);
  // The list is empty, so nothing can move.
  if (remainingQuestions.length === 0) insertArrived();
}

export function select(id: string | undefined): void {
  if (id !== current().selected) change({ selected: id, notice: undefined, toConfirm: undefined });
}

export function move(step: 1 | -1): void {
  const { questions, selected } = current();
  const index = questions.findIndex(({ id }) => id === selected);
  moveTo(Math.max(0, Math.min(questions.length - 1, index + step)));
}

export function moveTo(index: number): void {
  const next = current().questions[index];
  if (next === undefined) return;
  walk();
  select(next.id);
  tidy();
}
