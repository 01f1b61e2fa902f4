import type { Question, QuestionResponse } from '../../src/protocol/question.js';
import { messageOf, Offline, Refusal, request } from './api.js';
import { discardDraft, draftFor, flushDrafts, forgetDraft, responsesOf } from './drafts.js';
import { leave, select, tidy, updated } from './list.js';
import { isOurs } from './ours.js';
import { type Act, at, change, current, type Outgoing } from './state.js';

/*
 * Deciding: nothing leaves before five seconds are over, and nothing is called done before the server says so. Whoever
 * leaves the page meant what they decided: it is sent then, at once. Without a server it waits in a queue.
 */

const UNDO_MS = 5_000;
const MAX_CHARACTERS = 2_000;

let sendTimer: ReturnType<typeof setTimeout> | undefined;

export function decide(question: Question, act: Act): void {
  const { outgoing, queued } = current();
  if (isDecided(question.id)) return;
  const problem = act === 'decline' || act === 'dismiss' ? undefined : problemOf(question);
  if (problem !== undefined) {
    change({ notice: { kind: 'problem', text: problem } });
    return;
  }
  // One at a time: whoever decides the next thing means the one before.
  if (outgoing !== undefined) void send(outgoing);
  const decided = { question, act, sendAt: Date.now() + UNDO_MS };
  change({ outgoing: decided, notice: undefined });
  clearTimeout(sendTimer);
  sendTimer = setTimeout(() => void send(decided), UNDO_MS);
  const waiting = new Set([question.id, ...queued.map((other) => other.question.id)]);
  goOn(waiting);
}

/** To the next that is not decided yet; if there is none, to where we are. */
function goOn(decided: ReadonlySet<string>): void {
  tidy();
  const { questions, selected, ended } = current();
  const index = questions.findIndex(({ id }) => id === selected);
  const around = [...questions.slice(index + 1), ...questions.slice(0, Math.max(0, index))];
  const next = around.find(({ id }) => !decided.has(id) && ended[id] === undefined);
  if (next !== undefined) select(next.id);
}

export function isDecided(id: string): boolean {
  const { outgoing, queued } = current();
  return outgoing?.question.id === id || queued.some(({ question }) => question.id === id);
}

function problemOf({ id, questions }: Question): string | undefined {
  const responses = responsesOf(draftFor(current(), id));
  if (responses.length === 0) return 'Choose an option or write an answer first.';
  const unchosen = questions.find(({ id: part, mustChoose }) => {
    const response = responses.find(({ questionId }) => questionId === part);
    return mustChoose === true && response !== undefined && (response.optionIds ?? []).length === 0;
  });
  if (unchosen !== undefined) {
    const labels = (unchosen.options ?? []).map(({ label }) => label).join(' or ');
    return `Choose ${labels}; what you wrote goes with it.`;
  }
  const long = responses.find(({ answer = '' }) => [...answer].length > MAX_CHARACTERS);
  if (long === undefined) return undefined;
  const part =
    questions.length > 1
      ? `The answer to part ${questions.findIndex((one) => one.id === long.questionId) + 1}`
      : 'The answer';
  return `${part} has ${[...(long.answer ?? '')].length} characters; ${MAX_CHARACTERS} are taken.`;
}

export function undo(): void {
  const { outgoing, queued } = current();
  const last = outgoing ?? queued.at(-1);
  if (last === undefined) return;
  clearTimeout(sendTimer);
  change(outgoing === undefined ? { queued: queued.slice(0, -1) } : { outgoing: undefined });
  change({ view: 'inbox' });
  select(last.question.id);
}

async function send(outgoing: Outgoing, keepalive = false): Promise<void> {
  clearTimeout(sendTimer);
  const { question, act } = outgoing;
  const withdraw = () => {
    if (current().outgoing === outgoing) change({ outgoing: undefined });
    change({ queued: current().queued.filter((other) => other !== outgoing) });
  };
  try {
    const notification = await carryOut(outgoing, keepalive);
    withdraw();
    if (act === 'comment') void discardDraft(question.id);
    done(outgoing, notification);
  } catch (error) {
    if (error instanceof Offline) return queue(outgoing);
    withdraw();
    await lost(outgoing, error);
  }
}

let sent = 0;

/** How much was sent from here and taken: a list that was read meanwhile may not know of it. */
export function sentSoFar(): number {
  return sent;
}

function done({ question, act }: Outgoing, notification: Question | undefined): void {
  sent += 1;
  forgetDraft(question.id);
  if (notification?.status === 'open') updated(notification);
  else leave(question.id);
  change({ notice: { kind: 'done', text: doneText(act, notification ?? question) } });
}

async function carryOut({ question, act }: Outgoing, keepalive: boolean): Promise<Question | undefined> {
  const { id, revision, issueNumber } = question;
  const responses = responsesOf(draftFor(current(), id));
  if (act === 'comment') {
    await request(
      'POST',
      at(`/tasks/${issueNumber}/comments`),
      { body: commentOf(question, responses) },
      { keepalive },
    );
    return undefined;
  }
  const said = act === 'decline' ? { decline: true } : act === 'dismiss' ? { dismiss: true } : { responses };
  const path = at(`/notifications/${id}`);
  const answer = await request<{ notification: Question }>('PATCH', path, { revision, ...said }, { keepalive });
  return answer.notification;
}

function commentOf({ questions }: Question, responses: readonly QuestionResponse[]): string {
  return responses
    .map(({ questionId, answer, optionIds = [] }) => {
      const part = questions.find(({ id }) => id === questionId);
      const chosen = (part?.options ?? []).filter(({ id }) => optionIds.includes(id)).map(({ label }) => label);
      return `On "${part?.text ?? questionId}", after it was answered: ${[...chosen, ...(answer === undefined ? [] : [answer])].join('. ')}`;
    })
    .join('\n');
}

function queue(outgoing: Outgoing): void {
  const { queued } = current();
  if (!queued.includes(outgoing)) change({ queued: [...queued, outgoing] });
  if (current().outgoing === outgoing) change({ outgoing: undefined });
  change({ isOnline: false });
}

/** The server is back: what waits goes, in the order in which it was decided. */
export async function sendQueued(): Promise<void> {
  for (const outgoing of current().queued) await send(outgoing);
}

export function leavePage(): void {
  const { outgoing } = current();
  if (outgoing !== undefined) void send(outgoing, true);
  flushDrafts();
}

/** Somebody was quicker: what was written is still in the draft, and the present state is shown. */
async function lost(outgoing: Outgoing, error: unknown): Promise<void> {
  const { question } = outgoing;
  const isConflict = error instanceof Refusal && error.code === 'CONFLICT';
  const notification = isConflict ? await readAgain(question.id) : undefined;
  // The server had it and died before it could say so.
  if (notification !== undefined && isOurs(outgoing, notification)) return done(outgoing, notification);
  change({ view: 'inbox', notice: { kind: 'problem', text: messageOf(error) } });
  select(question.id);
  if (notification === undefined) return;
  const isOver = notification.status === 'resolved';
  if (isOver) change({ ended: { ...current().ended, [question.id]: notification } });
  else updated(notification);
  const text = isOver
    ? 'Somebody was quicker. What you wrote is still here.'
    : 'The question changed meanwhile. What you wrote is still here; look at it again.';
  change({ notice: { kind: 'problem', text } });
}

async function readAgain(id: string): Promise<Question | undefined> {
  const answer = await request<{ notification: Question }>('GET', at(`/notifications/${id}`)).catch(() => undefined);
  return answer?.notification;
}

function doneText(act: Act, { status, questions, responses = [] }: Question): string {
  if (act === 'comment') return 'Added to the conversation of the issue.';
  if (act === 'late') return 'Your late answer is kept. If it changes something, you are asked: keep or rework.';
  if (status === 'open') return `Saved. ${questions.length - responses.length} more to answer here.`;
  if (act === 'answer') return 'Answered. The agent goes on.';
  return act === 'decline' ? 'Declined. The agent goes on with an assumption.' : 'Dismissed.';
}
