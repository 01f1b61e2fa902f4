import type { App } from '../app/app.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { pathOf } from '../protocol/page-address.js';
import type { Question, QuestionOutcome, QuestionPart } from '../protocol/question.js';
import { answererOf, latestResponses, outcomeOf } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { Call, Subject, ToolAnswer } from './call.js';
import { fitAnswers } from './fit-answers.js';

/*
 * The words for a model about a question or a clarification: its state, the whole answer, and what to do next. The last
 * part decides whether agents wait, go on or guess, so each state has its own sentence.
 */

type HubResult = Pick<
  Awaited<ReturnType<App['route']>>,
  'clarificationId' | 'status' | 'round' | 'answer' | 'waitingOn'
> & {
  readonly record: ClarificationRecord;
};

/** Where a clarification stands. A record that waits for a human names that human's question. */
export async function sayClarification(call: Call, result: HubResult): Promise<ToolAnswer> {
  const { record, round } = result;
  const { id, topic, maxRounds } = record;
  const answer = result.answer ?? lastWord(record);
  const questionId = humanQuestionOf(result);
  const state = standing(result);
  const next = await nextOf(call, result);
  const link = questionId === undefined ? undefined : await inboxLink(call, questionId);
  const data = {
    status: state,
    id,
    topic,
    round,
    maxRounds,
    ...(answer !== undefined && { from: answererIn(record), answer }),
    ...(questionId !== undefined && { questionId, link }),
    next,
  };
  const head = `${id} (${topic}), round ${round} of ${maxRounds}: ${state}`;
  const answerLines = answer === undefined ? [] : [`${answererIn(record)}: ${answer}`];
  return { text: [head, ...answerLines, `Next: ${next}`].join('\n'), data, about: aboutClarification(result) };
}

function aboutClarification(result: HubResult): Subject {
  const { id, blocking, created, thread } = result.record;
  const isOpen = humanQuestionOf(result) !== undefined || standing(result) === 'pending';
  const updatedAt = thread.at(-1)?.timestamp ?? created;
  return { id, isOpen, isAwaited: isOpen && blocking, createdAt: created, updatedAt };
}

/** The question that a human must answer before this clarification goes on, if there is one. */
export function humanQuestionOf({ status, round, record, waitingOn = [] }: HubResult): string | undefined {
  return status === 'escalated' ? escalationQuestionId(record.id, round) : waitingOn[0];
}

/** A late target may still answer, so its clarification is pending. */
function standing({ status }: HubResult): string {
  return status === 'stale' ? 'pending' : status;
}

function answererIn({ thread, to }: ClarificationRecord): string {
  const entry = thread.findLast(({ type }) => type === 'answer' || type === 'resolution');
  return entry?.principal ?? entry?.from ?? to;
}

/** What a human decided, or the last answer of a thread that has ended. */
function lastWord({ status, thread }: ClarificationRecord): string | undefined {
  if (status !== 'resolved') return undefined;
  return thread.findLast(({ type }) => type === 'resolution' || type === 'answer')?.body;
}

async function nextOf(call: Call, result: HubResult): Promise<string> {
  const { record, status, round } = result;
  const { id, to, maxRounds, blocking } = record;
  const human = humanQuestionOf(result);
  if (human !== undefined) {
    const who = status === 'escalated' ? `This is with a human now` : `${to} asked a human first`;
    return `${who}: ${await answerPlaces(call, human)} ${blocking ? polling(call, id) : goOn(id)}`;
  }
  switch (status) {
    case 'answered':
      return (
        `If this settles it, call resolve_clarification with id ${id} and say what you will do, then go on. ` +
        (round < maxRounds
          ? `If something in it is still unclear, call follow_up_clarification (${maxRounds - round} left).`
          : 'There is no round left: a follow-up would go to a human.')
      );
    case 'pending':
    case 'stale':
      return blocking ? `${to} has not answered yet. ${polling(call, id)}` : `${to} is being asked. ${goOn(id)}`;
    case 'resolved':
      return 'This is settled. Go on with it.';
    default:
      return 'No agent waits for this any more. Decide by yourself and call record_assumption.';
  }
}

/**
 * Where a question to humans stands, with every part and its answer. `why` says why the client's person did not answer.
 */
export async function sayQuestion(
  call: Call,
  question: Question,
  { why, part }: { readonly why?: string; readonly part?: string } = {},
): Promise<ToolAnswer> {
  const { id, outcome } = question;
  const { turn } = call.caller;
  if (outcome !== undefined && turn !== undefined) await call.app.noteHeard({ id, turn, isHeard: true });
  const state = outcome ?? 'pending';
  const parts = question.questions.filter((one) => part === undefined || one.id === part);
  const { shown: answers, left: omittedParts } = fitAnswers(parts.map((one) => answerTo(question, one)));
  const by = question.answeredBy;
  const next = [why, ...leftOut(id, omittedParts), await nextOfQuestion(call, question)]
    .filter((text) => text !== undefined)
    .join(' ');
  const data = {
    status: state,
    id,
    answers,
    ...(by !== undefined && { answeredBy: { principal: by.principal, channel: by.channel } }),
    ...(outcome === undefined && { link: await inboxLink(call, id), ...fallbackData(question) }),
    next,
  };
  const lines = answers.map(
    ({ question: text, part: name, answer }) =>
      `${text}\n  ${answer ?? (omittedParts.includes(name) ? `an answer too long for here: part ${name}` : 'no answer')}`,
  );
  const who = by === undefined || outcome !== 'answered' ? '' : ` by ${by.principal} (${by.channel})`;
  return {
    text: [`${id}: ${state}${who}`, ...lines, `Next: ${next}`].join('\n'),
    data,
    about: aboutQuestion(question, why),
  };
}

function leftOut(id: string, parts: readonly string[]): readonly string[] {
  const [first] = parts;
  if (first === undefined) return [];
  const others = parts.length === 1 ? '' : ', and so on';
  return [
    `The answers to ${parts.join(', ')} are too long for here: call get_question with id ${id} and part ${first}${others}, before you go on.`,
  ];
}

/** A model that hears why the person did not answer decides what to do now. */
function aboutQuestion({ id, status, blocking, createdAt, resolvedAt = createdAt }: Question, why?: string): Subject {
  const isOpen = status === 'open';
  return { id, isOpen, isAwaited: isOpen && blocking && why === undefined, createdAt, updatedAt: resolvedAt };
}

function answerTo(question: Question, { id, text }: QuestionPart) {
  const response = latestResponses(question).find(({ questionId }) => questionId === id);
  const outcome = outcomeOf(question, id);
  const by = answererOf(question, response);
  return {
    part: id,
    question: text,
    ...(response !== undefined && { answer: decisionOf(question, id) }),
    ...(response?.optionIds !== undefined && { optionIds: response.optionIds }),
    ...(outcome !== undefined && outcome !== question.outcome && { outcome }),
    ...(by !== undefined && by.principal !== question.answeredBy?.principal && { by: by.principal }),
  };
}

function fallbackData({ fallback, expiresAt }: Question) {
  return fallback === undefined ? {} : { fallback, expiresAt };
}

const ENDED: Readonly<Record<QuestionOutcome, string>> = {
  answered: 'A human decided this. Go on with it.',
  declined: 'The human declined to decide. Take the safest reading, call record_assumption, and go on.',
  dismissed: 'The human dismissed the question. Take the safest reading, call record_assumption, and go on.',
  fallback_applied:
    'Nobody answered in time, so the declared fallback holds, recorded as an assumption. Go on with it. A late answer may still overturn it.',
  superseded: 'The question no longer matters. Go on without it.',
  unreachable: 'No human could be reached. Take the safest reading, call record_assumption, and go on.',
};

async function nextOfQuestion(call: Call, question: Question): Promise<string> {
  const { id, outcome, blocking, expiresAt } = question;
  if (outcome !== undefined) return ENDED[outcome];
  const places = await answerPlaces(call, id);
  const expiry = expiresAt === undefined ? '' : ` Without an answer by ${expiresAt}, the fallback holds.`;
  return `No human has answered yet: ${places}${expiry} ${blocking ? polling(call, id) : goOn(id)}`;
}

function goOn(id: string): string {
  return `Go on with your work, and call get_question with id ${id} when you need the answer.`;
}

/** How to learn of the answer. Inside a turn of a run the run waits, and the agent need not. */
function polling({ caller, maxSeconds }: Call, id: string): string {
  const poll = `call get_question with id ${id} and wait_seconds ${maxSeconds}`;
  if (caller.turn !== undefined || caller.clarification !== undefined) {
    return `Do not guess: ${poll}, or end your turn now and say what you wait for; you get the answer in your next turn.`;
  }
  return `Do not guess and do not ask again: do what does not depend on it, then ${poll}. It may take several calls.`;
}

async function answerPlaces(call: Call, questionId: string): Promise<string> {
  const isServed = call.app.pageUrl() !== undefined;
  const link = await inboxLink(call, questionId);
  return `it can be answered at ${link}${isServed ? '' : ' (while agentx serve runs)'} or with: agentx inbox answer ${questionId}.`;
}

/** The page of a server that runs now, else where it will be. */
async function inboxLink({ app }: Call, id: string): Promise<string> {
  const base = app.pageUrl() ?? `http://127.0.0.1:${(await app.config()).server.port}`;
  return `${base}${pathOf({ view: 'inbox', id })}`;
}
