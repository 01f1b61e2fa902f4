import type { Question, QuestionResponse } from '../../src/protocol/question.js';
import { unansweredParts } from '../../src/protocol/question-answerers.js';
import { responsesOf } from './draft-versions.js';
import { draftFor } from './drafts.js';
import { select, tidy } from './list.js';
import { enqueue, isDecided } from './outgoing.js';
import { type Act, change, current } from './state.js';

/* Deciding: the page first asks for what is missing, and it asks twice for what cannot be undone. */

const MAX_CHARACTERS = 2_000;

export function decide(question: Question, act: Act, isConfirmed = false): void {
  if (isDecided(question.id)) return;
  const responses = act === 'decline' || act === 'dismiss' ? [] : responsesTo(question, act);
  const problem = act === 'decline' || act === 'dismiss' ? undefined : problemOf(question, responses);
  if (problem !== undefined) {
    change({ notice: { kind: 'hint', text: problem } });
    return;
  }
  if (wantsConfirmation(question, act) && !isConfirmed) {
    change({ toConfirm: { id: question.id, act }, notice: undefined });
    return;
  }
  change({ toConfirm: undefined });
  enqueue({ question, act, responses });
  goOn();
}

/** What an answer to a question that has ended becomes. Without an issue there is no conversation to add it to. */
export function actAfterEnd(question: Question): 'late' | 'comment' | undefined {
  if (question.outcome === 'fallback_applied' && unansweredParts(question).length > 0) return 'late';
  return question.issueNumber === 0 ? undefined : 'comment';
}

/** Ending a question for good takes a confirmation. */
function wantsConfirmation({ consequence, status }: Question, act: Act): boolean {
  return consequence === 'irreversible' && status === 'open' && act !== 'comment';
}

export function confirm(): void {
  const { toConfirm, questions } = current();
  const question = questions.find(({ id }) => id === toConfirm?.id);
  if (question !== undefined && toConfirm !== undefined) decide(question, toConfirm.act, true);
}

export function stepBack(): void {
  change({ toConfirm: undefined });
}

export function judgeAssumption(assumption: { readonly id: string; readonly decision: string }, reason?: string): void {
  if (isDecided(assumption.id)) return;
  const length = [...(reason ?? '')].length;
  if (length > MAX_CHARACTERS) {
    change({ notice: { kind: 'hint', text: `This has ${length} characters; ${MAX_CHARACTERS} are taken.` } });
    return;
  }
  enqueue({ assumption, ...(reason === undefined ? {} : { reason }) });
}

/** Parts that have an answer are not answered again. */
export function responsesTo(question: Question, act: Act): readonly QuestionResponse[] {
  const draftResponses = responsesOf(draftFor(current(), question.id));
  if (act === 'comment') return draftResponses;
  const open = unansweredParts(question).map(({ id }) => id);
  return draftResponses.filter(({ questionId }) => open.includes(questionId));
}

function problemOf({ questions }: Question, responses: readonly QuestionResponse[]): string | undefined {
  if (responses.length === 0) return 'Choose an option or write an answer first.';
  const unchosenPart = questions.find(({ id: part, mustChoose }) => {
    const response = responses.find(({ questionId }) => questionId === part);
    return mustChoose === true && response !== undefined && (response.optionIds ?? []).length === 0;
  });
  if (unchosenPart !== undefined) {
    const labels = (unchosenPart.options ?? []).map(({ label }) => label).join(' or ');
    return `Choose ${labels}; what you wrote goes with it.`;
  }
  const longResponse = responses.find(({ answer = '' }) => [...answer].length > MAX_CHARACTERS);
  if (longResponse === undefined) return undefined;
  const part =
    questions.length > 1
      ? `The answer to part ${questions.findIndex((one) => one.id === longResponse.questionId) + 1}`
      : 'The answer';
  return `${part} has ${[...(longResponse.answer ?? '')].length} characters; ${MAX_CHARACTERS} are taken.`;
}

/** Goes to the next undecided question; if there is none, stays. */
function goOn(): void {
  tidy();
  const { questions, selected, ended } = current();
  const index = questions.findIndex(({ id }) => id === selected);
  const neighbours = [...questions.slice(index + 1), ...questions.slice(0, Math.max(0, index))];
  const next = neighbours.find(({ id }) => !isDecided(id) && ended[id] === undefined);
  if (next !== undefined) select(next.id);
}
