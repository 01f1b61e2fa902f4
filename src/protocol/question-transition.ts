import { AgentXError } from './errors.js';
import type { EmitEffect } from './events.js';
import { HUB } from './ids.js';
import { MAX_ANSWER_CHARACTERS, MAX_OPTIONS_PER_QUESTION, MAX_QUESTIONS_PER_REPLY } from './limits.js';
import { understood } from './option-in-words.js';
import { parseWith, requireText } from './parse.js';
import {
  type AnsweredBy,
  Question,
  type QuestionFallback,
  type QuestionOption,
  type QuestionOutcome,
  type QuestionPart,
  type QuestionResponse,
  type QuestionState,
  stateOf,
} from './question.js';
import { answererOf, isFallback, isSameAnswerer, mergeResponses, unansweredParts } from './question-answerers.js';
import { fallbackFor } from './question-fallback.js';
import { isBefore, toEpochMs } from './timestamp.js';

/*
 * A question is `open` until it is `resolved` with one outcome: answered, declined, dismissed, fallback_applied (it
 * expired), superseded (it no longer matters) or unreachable (no person could be asked). It has one or more parts;
 * answers to some of them are kept while it stays open. Only a reversible question may declare a fallback, only one
 * with a fallback expires, and not before its time. Every change raises `revision`. A person who answers, declines or
 * dismisses names the revision they saw. A lost race or an ended question is a CONFLICT that shows the present state.
 * An answer to a part that is still open is no lost race, whatever was said to other parts since.
 * `answeredBy` of the question is the person who ended it, and a response names its own answerer if that is another.
 * One answer to each part that fell back, given after that, is kept beside it as a late response; otherwise the content
 * of a resolved question never changes. Notes about it (`question-notes.ts`: who is typing, what follows from it) come
 * and go without a new revision, because they make no answer wrong.
 */

export type QuestionEvent =
  | { type: 'answer'; at: string; by: AnsweredBy; revision: number; responses: readonly QuestionResponse[] }
  | { type: 'decline' | 'dismiss'; at: string; by: AnsweredBy; revision: number }
  | { type: 'expire'; at: string }
  | { type: 'supersede' | 'unreachable'; at: string; reason?: string };

type AnswerEvent = Readonly<Extract<QuestionEvent, { type: 'answer' }>>;

export type QuestionEffect =
  | EmitEffect<'notification-added' | 'notification-resolved'>
  | { readonly type: 'late-answer'; readonly questionId: string; readonly responses: readonly QuestionResponse[] };

export interface QuestionResult {
  readonly question: Question;
  readonly effects: readonly QuestionEffect[];
}

/** A partial answer leaves an open question open; a late one leaves the outcome as it is. */
export const QUESTION_TRANSITIONS: Readonly<
  Record<QuestionState, Readonly<Partial<Record<QuestionEvent['type'], QuestionState>>>>
> = {
  open: {
    answer: 'answered',
    decline: 'declined',
    dismiss: 'dismissed',
    expire: 'fallback_applied',
    supersede: 'superseded',
    unreachable: 'unreachable',
  },
  answered: {},
  declined: {},
  dismissed: {},
  fallback_applied: { answer: 'fallback_applied' },
  superseded: {},
  unreachable: {},
};

export type NewQuestion = Omit<
  Question,
  'status' | 'outcome' | 'responses' | 'lateResponses' | 'answeredBy' | 'resolvedAt' | 'revision' | 'consequence'
> & { readonly consequence?: Question['consequence'] };

/** A question without a consequence is reversible. */
export function openQuestion(fields: NewQuestion): QuestionResult {
  const question = parseWith(
    Question,
    { ...fields, consequence: fields.consequence ?? 'reversible', status: 'open', responses: [], revision: 1 },
    `Question ${fields.id}`,
  );
  requireAnswerable(question);
  const payload = { projectId: question.projectId, notification: question, timestamp: toEpochMs(question.createdAt) };
  return { question, effects: [{ type: 'emit', name: 'notification-added', payload }] };
}

/** The only way a question changes. If it throws, the question is unchanged. */
export function transition(question: Question, event: Readonly<QuestionEvent>): QuestionResult {
  const state = stateOf(question);
  const outcome = QUESTION_TRANSITIONS[state][event.type];
  if (outcome === undefined || outcome === 'open') throw conflict(question, hasEnded(question, state));
  switch (event.type) {
    case 'answer':
      return state === 'open' ? answer(question, event) : answerLate(question, event);
    case 'decline':
    case 'dismiss':
      requireRevision(question, event.revision);
      return resolve(endedBy(question, provenance(event)), outcome, event.at);
    case 'expire':
      return resolve(withFallback(question, event.at), outcome, event.at);
    case 'supersede':
    case 'unreachable': {
      const { reason } = event;
      return resolve({ ...endedBy(question, undefined), ...(reason !== undefined && { reason }) }, outcome, event.at);
    }
  }
}

function hasEnded({ answeredBy }: Question, state: QuestionState): string {
  const by = answeredBy === undefined ? '' : `, by ${answeredBy.principal} (${answeredBy.channel})`;
  return `is already ${state.replaceAll('_', ' ')}${by}`;
}

function answer(question: Question, event: AnswerEvent): QuestionResult {
  if (!isAboutOtherParts(question, event)) requireRevision(question, event.revision);
  const newResponses = checkedResponses(question, event);
  const answeredQuestion = endedBy(question, provenance(event), newResponses);
  const responses = answeredQuestion.responses ?? [];
  const complete = question.questions.every((part) => responses.some((response) => response.questionId === part.id));
  if (complete) return resolve(answeredQuestion, 'answered', event.at);
  return { question: { ...answeredQuestion, revision: question.revision + 1 }, effects: [] };
}

function answerLate(question: Question, event: AnswerEvent): QuestionResult {
  const before = question.lateResponses ?? [];
  const responses = checkedResponses(question, event);
  const open = unansweredParts(question).map(({ id }) => id);
  const takenResponse = responses.find(({ questionId }) => !open.includes(questionId));
  if (takenResponse !== undefined) throw conflict(question, whyTaken(question, takenResponse.questionId));
  const lateResponse = { responses, answeredBy: provenance(event), at: event.at };
  return {
    question: {
      ...question,
      lateResponses: [...before, lateResponse],
      unsettled: true,
      revision: question.revision + 1,
    },
    effects: [{ type: 'late-answer', questionId: question.id, responses }],
  };
}

function whyTaken(question: Question, partId: string): string {
  const inTime = question.responses?.find(({ questionId }) => questionId === partId);
  const part = question.questions.length > 1 ? ` to '${partId}'` : '';
  if (inTime === undefined || isFallback(question, inTime)) return `already has a late answer${part}`;
  return `has an answer${part} that ${answererOf(question, inTime)?.principal ?? 'somebody'} gave in time`;
}

/** A person who acts ends the whole question; an asker that is gone does so without one. Earlier answers keep their answerers. */
function endedBy(
  question: Question,
  by: AnsweredBy | undefined,
  newResponses: readonly QuestionResponse[] = [],
): Question {
  const { answeredBy: _, ...unsigned } = question;
  const before = (question.responses ?? []).map((response) => {
    const { answeredBy: __, ...responseAlone } = response;
    const answerer = answererOf(question, response);
    return answerer === undefined || (by !== undefined && isSameAnswerer(answerer, by))
      ? responseAlone
      : { ...responseAlone, answeredBy: answerer };
  });
  return { ...unsigned, responses: mergeResponses(before, newResponses), ...(by !== undefined && { answeredBy: by }) };
}

function resolve(question: Question, outcome: QuestionOutcome, at: string): QuestionResult {
  const endedQuestion: Question = {
    ...question,
    status: 'resolved',
    outcome,
    resolvedAt: at,
    revision: question.revision + 1,
  };
  const resolvedQuestion = followsFrom(endedQuestion) ? { ...endedQuestion, unsettled: true } : endedQuestion;
  const payload = {
    notificationId: question.id,
    projectId: question.projectId,
    source: question.source,
    sourceId: question.sourceId,
    outcome,
    timestamp: toEpochMs(at),
  };
  return { question: resolvedQuestion, effects: [{ type: 'emit', name: 'notification-resolved', payload }] };
}

/**
 * Whether the end of a question leads to further writes: a state of planning, a task, a clarification, an assumption, a
 * comment. Issue 0 stands for no issue and has no conversation.
 */
function followsFrom({ kind, issueNumber, outcome, reason, responses = [], blocksTask = false }: Question): boolean {
  if (blocksTask || kind === 'pm_clarification') return true;
  // Without a reason, the clarification ended first.
  if (kind === 'escalation') return outcome !== 'superseded' || reason !== undefined;
  if (responses.length > 0 && issueNumber !== 0) return true;
  if (kind === 'late_answer') return outcome === 'answered';
  return kind === 'open_question' && outcome !== 'answered' && outcome !== 'superseded';
}

/** The fallback answers the parts without an answer; what a human already said stands. */
function withFallback(question: Question, at: string): Question {
  const { fallback, expiresAt } = question;
  if (question.consequence === 'irreversible') throw cannotExpire(question, 'it is irreversible');
  if (fallback === undefined || expiresAt === undefined) throw cannotExpire(question, 'it declares no fallback');
  if (isBefore(at, expiresAt)) throw cannotExpire(question, `its time is ${expiresAt}`);
  const responses = question.responses ?? [];
  const open = question.questions.filter((part) => !responses.some((response) => response.questionId === part.id));
  const by = {
    principal: HUB,
    channel: 'timeout',
    authority: 'the declared fallback',
    revision: question.revision,
  } as const;
  const fallbackResponses = open.map((part) => fallbackResponse(part, fallbackFor(question, part) ?? {}));
  return endedBy(question, by, fallbackResponses);
}

function fallbackResponse(part: QuestionPart, fallback: QuestionFallback): QuestionResponse {
  const option = part.options?.find((candidate) => candidate.id === fallback.optionId);
  if (option !== undefined)
    return { questionId: part.id, answer: fallback.text ?? option.label, optionIds: [option.id] };
  const answer = fallback.text ?? fallback.reasoning;
  return answer === undefined ? { questionId: part.id } : { questionId: part.id, answer };
}

function checkedResponses(question: Question, event: AnswerEvent): readonly QuestionResponse[] {
  const ids = event.responses.map(({ questionId }) => questionId);
  if (ids.length === 0) throw invalid(question, 'The answer is empty.', question.questions);
  const repeatedId = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeatedId !== undefined) throw invalid(question, `Part '${repeatedId}' is answered twice.`, []);
  return event.responses.map((response) => checkedResponse(question, response));
}

/** Fills in `answer` from the chosen labels, so that every reader has text. A response cannot name its own answerer. */
function checkedResponse(question: Question, draft: QuestionResponse): QuestionResponse {
  const part = question.questions.find((candidate) => candidate.id === draft.questionId);
  if (part === undefined) {
    throw invalid(question, `It has no question '${draft.questionId}'.`, question.questions);
  }
  const { answeredBy: _, ...response } = understood(question, withoutBlank(draft));
  const options = [...new Set(response.optionIds ?? [])].map((id) => requireOption(question, part, id));
  if (options.length > 1 && part.multiSelect !== true) {
    throw invalid(question, `Question '${part.id}' takes one option.`, part.options ?? []);
  }
  if (options.length === 0 && mustChoose(question, part, response.answer)) {
    throw invalid(question, `Question '${part.id}' wants an option; what you write goes with it.`, part.options ?? []);
  }
  const optionIds = options.map((option) => option.id);
  if (response.answer === undefined) {
    if (options.length === 0) throw invalid(question, `The answer to '${part.id}' is empty.`, part.options ?? []);
    return { ...response, optionIds, answer: options.map((option) => option.label).join(', ') };
  }
  if (part.allowText === false) {
    throw invalid(question, `Question '${part.id}' takes no text.`, part.options ?? []);
  }
  const textResponse = { ...response, answer: requireText(response.answer, 'answer', MAX_ANSWER_CHARACTERS) };
  return response.optionIds === undefined ? textResponse : { ...textResponse, optionIds };
}

/** A form sends the text beside a choice even if it was left blank. */
function withoutBlank(response: QuestionResponse): QuestionResponse {
  const { answer, ...choice } = response;
  const isBlank = answer !== undefined && answer.trim() === '' && (choice.optionIds ?? []).length > 0;
  return isBlank ? choice : response;
}

/**
 * An approval is a yes or a no, and nothing else counts as either. Text for a failed step is a hint for another try,
 * unless it is about giving up.
 */
function mustChoose(
  { kind }: Question,
  { mustChoose: isDeclared, options = [] }: QuestionPart,
  text: string | undefined,
): boolean {
  if (kind === 'agent_failed' && text !== undefined && GIVING_UP.test(text)) return true;
  return isDeclared === true || (kind === 'approval' && options.some(({ id }) => id === 'approve'));
}

const GIVING_UP =
  /\b(?:stop|skip|abort|cancel|quit|enough|forget (?:about )?(?:it|this|that)|give (?:it )?up|go on without|never ?mind|move on|(?:leave|drop|kill|end|ignore) (?:it|this|that)|let it (?:go|be|fail)|not worth|do nothing|(?:don['\u2019]?t|do not) (?:bother|try|retry|continue))\b|^\W*no(?:pe)?\W*$/i;

function requireOption(question: Question, part: QuestionPart, id: string): QuestionOption {
  const option = part.options?.find((candidate) => candidate.id === id);
  if (option !== undefined) return option;
  const { options = [] } = part;
  const problem = options.length > 0 ? `has no option '${id}'.` : 'has no options: it is answered in words.';
  throw invalid(question, `Part '${part.id}' ${problem}`, options);
}

function provenance(event: { readonly by: AnsweredBy; readonly revision: number }): AnsweredBy {
  return { ...event.by, revision: event.revision };
}

/** Whether everything that was answered since the event's revision is another part than those that it answers. */
function isAboutOtherParts({ revision, responses = [] }: Question, event: AnswerEvent): boolean {
  if (event.revision > revision || responses.length === 0) return false;
  return !event.responses.some((one) => responses.some(({ questionId }) => questionId === one.questionId));
}

function requireRevision(question: Question, revision: number): void {
  if (revision === question.revision) return;
  throw conflict(question, `is at revision ${question.revision}, not ${revision}`);
}

function requireAnswerable(question: Question): void {
  requireUnique(question, question.questions);
  requireAtMost(question, 'questions', question.questions.length, MAX_QUESTIONS_PER_REPLY);
  for (const part of question.questions) {
    const options = part.options ?? [];
    requireUnique(question, options);
    requireAtMost(question, `options of '${part.id}'`, options.length, MAX_OPTIONS_PER_QUESTION);
    if (options.length === 0 && part.allowText === false) {
      throw invalid(question, `Part '${part.id}' takes neither text nor an option.`, []);
    }
  }
  requireFallback(
    question,
    question.fallback,
    question.questions.flatMap((part) => part.options ?? []),
  );
  for (const { fallback, options = [] } of question.questions) requireFallback(question, fallback, options);
}

function requireFallback(
  question: Question,
  fallback: QuestionFallback | undefined,
  options: readonly QuestionOption[],
): void {
  const optionId = fallback?.optionId;
  if (fallback !== undefined && optionId === undefined && fallback.text === undefined) {
    throw invalid(question, 'Its fallback says neither an option nor a text.', []);
  }
  if (optionId !== undefined && !options.some((option) => option.id === optionId)) {
    throw invalid(question, `Its fallback names the unknown option '${optionId}'.`, options);
  }
}

function requireUnique(question: Question, items: readonly { readonly id: string }[]): void {
  const repeatedItem = items.find((item, index) => items.findIndex((other) => other.id === item.id) !== index);
  if (repeatedItem !== undefined) throw invalid(question, `It uses the id '${repeatedItem.id}' twice.`, []);
}

function requireAtMost(question: Question, what: string, count: number, max: number): void {
  if (count > max) throw invalid(question, `It has ${count} ${what}, more than ${max}.`, []);
}

function invalid(question: Question, problem: string, allowed: readonly { readonly id: string }[]): AgentXError {
  const ids = allowed.map((item) => item.id);
  const hint = ids.length > 0 ? ` Allowed: ${ids.join(', ')}.` : '';
  return new AgentXError('INVALID_INPUT', `Question ${question.id}: ${problem}${hint}`, {
    questionId: question.id,
    allowed: ids,
  });
}

function conflict(question: Question, problem: string): AgentXError {
  return new AgentXError('CONFLICT', `Question ${question.id} ${problem}.`, { questionId: question.id, question });
}

function cannotExpire(question: Question, why: string): AgentXError {
  return new AgentXError('INVALID_STATE', `Question ${question.id} is open and cannot take 'expire': ${why}.`, {
    questionId: question.id,
    expiresAt: question.expiresAt,
  });
}
