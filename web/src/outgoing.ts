import { messageOf } from '../../src/protocol/errors.js';
import type { Question } from '../../src/protocol/question.js';
import type { NotificationBody } from '../../src/protocol/rest.js';
import { plainLine } from '../../src/render/plain-text.js';
import { isLocked, listAll, Offline, Refusal, request } from './api.js';
import { keepDecisions } from './browser-storage.js';
import { draftOf, textOf } from './draft-versions.js';
import { discardDraft, flushDrafts, forgetSent, hasDraft, hold } from './drafts.js';
import { isOurs } from './is-ours.js';
import { bring, ended, leave, updated } from './list.js';
import { newName } from './names.js';
import { addProblem } from './notices.js';
import { nameOf, outcomeOf, quickerThan, subjectOf } from './outcome.js';
import { timeLeft } from './parts/clock.js';
import { keepReason } from './reasons.js';
import { serverNow } from './server-clock.js';
import { at, change, current, type Decision, type Outgoing, type QuestionDecision, type Verdict } from './state.js';

/*
 * Each decision is sent after its own five seconds. It counts as done when the server says so, in the server's words.
 * Meanwhile the clock of its question stands still on the server; if the clock cannot be held, the decision is sent at
 * once, because it was made in time. A person who leaves the page meant what they decided: it is sent then. Without a
 * server it waits in the browser's storage, across visits.
 */

const UNDO_MS = 5_000;
const MAX_WAITING = 10;
/** How long a request may take before the clock has run out. */
const ON_THE_WAY_MS = 2_000;
const RETRY_MS = 2_000;

const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function enqueue(decision: Decision): string {
  const waitingItems = current().outgoing.filter(({ phase }) => phase === 'waiting');
  if (waitingItems.length >= MAX_WAITING && waitingItems[0] !== undefined) void send(waitingItems[0].key);
  const key = newName();
  set([...current().outgoing, { key, decision, sendAt: serverNow() + UNDO_MS, phase: 'waiting' }]);
  change({ notice: undefined });
  timers.set(
    key,
    setTimeout(() => void send(key), UNDO_MS),
  );
  if ('question' in decision && decision.question.status === 'open') void sendInTime(key, decision.question);
  return key;
}

/**
 * Holds the clock while the decision can be taken back. Sends it now if the clock cannot be held, and just in time if
 * the server does not say whether it is held.
 */
async function sendInTime(key: string, question: Question): Promise<void> {
  const timeHere = question.expiresAt === undefined ? undefined : timeLeft(question, serverNow()).left;
  const last =
    timeHere !== undefined && isShort(timeHere)
      ? setTimeout(() => void send(key), timeHere - ON_THE_WAY_MS)
      : undefined;
  const timeOnServer = await hold(question.id).catch(() => timeHere);
  clearTimeout(last);
  if (timeOnServer !== undefined && isShort(timeOnServer)) await send(key);
}

function isShort(milliseconds: number): boolean {
  return milliseconds < UNDO_MS + ON_THE_WAY_MS;
}

export function isDecided(id: string): boolean {
  return current().outgoing.some(({ decision }) => idOf(decision) === id);
}

function idOf(decision: Decision): string {
  return 'question' in decision ? decision.question.id : decision.assumption.id;
}

/** The latest decision that can still be taken back, or a certain one. */
export function takeBack(key?: string): Decision | undefined {
  const last = current().outgoing.findLast((one) => one.phase !== 'sending' && (key ?? one.key) === one.key);
  if (last !== undefined) remove(last.key);
  return last?.decision;
}

/** When the person leaves the page, there is no time to look at the present state. */
async function send(key: string, isLeaving = false): Promise<void> {
  const outgoing = current().outgoing.find((one) => one.key === key);
  if (outgoing === undefined || outgoing.phase === 'sending') return;
  stopTimer(key);
  setPhase(key, 'sending');
  const { decision } = outgoing;
  try {
    if ('assumption' in decision) await judge(decision);
    else await carryOut(decision, isLeaving);
    sentCount += 1;
    remove(key);
  } catch (error) {
    if (error instanceof Offline || isLocked(error)) return queue(key);
    remove(key);
    await refused(decision, error);
  }
}

let sentCount = 0;

/** How many decisions were sent from here and accepted: a list read meanwhile may not contain them. */
export function sentSoFar(): number {
  return sentCount;
}

async function judge({ assumption, reason }: Verdict): Promise<void> {
  const isConfirmed = reason === undefined;
  const path = at(`/assumptions/${assumption.id}/${isConfirmed ? 'confirm' : 'reject'}`);
  await request('POST', path, isConfirmed ? {} : { reason });
  keepReason(assumption.id, '');
  const text = isConfirmed ? 'Confirmed.' : 'Rejected. Your inbox asks what becomes of the work built on it.';
  change({ notice: { kind: 'done', text } });
}

async function carryOut(decision: QuestionDecision, isLeaving: boolean): Promise<void> {
  const { question, act, responses } = decision;
  const { id, revision, issueNumber } = question;
  if (act === 'comment') {
    const body = commentOf(decision);
    const isThere = !isLeaving && (await isAdded(decision));
    if (!isThere) await request('POST', at(`/tasks/${issueNumber}/comments`), { body });
    leave(id);
    change({ notice: { kind: 'done', text: 'Added to the conversation of the issue.' } });
    return discardDraft(id);
  }
  const body = act === 'decline' ? { decline: true } : act === 'dismiss' ? { dismiss: true } : { responses };
  const path = at(`/notifications/${id}`);
  const answer = await request<NotificationBody>('PATCH', path, { revision, ...body });
  reportOutcome(decision, answer.notification);
}

function reportOutcome(decision: QuestionDecision, notification: Question): void {
  const { question, act, responses } = decision;
  if (act === 'decline' || act === 'dismiss') void discardDraft(question.id);
  else forgetSent(question.id, responses);
  if (notification.status === 'open') updated(notification);
  else if (hasDraft(question.id)) ended(notification);
  else leave(question.id);
  const { text, isOther } = outcomeOf(decision, notification);
  if (isOther) addProblem(`${subjectOf(decision)}: ${text}`);
  else change({ notice: { kind: 'done', text } });
}

/** Whether the issue has the comment already: an answer of the server may be lost on its way. */
async function isAdded(decision: QuestionDecision): Promise<boolean> {
  const body = commentOf(decision);
  const issues = await listAll(at('/tasks'), 'tasks');
  const comments = issues.find(({ number }) => number === decision.question.issueNumber)?.comments ?? [];
  return comments.some((one) => one.author === current().principal && one.body === body);
}

function commentOf({ question: { questions }, responses }: QuestionDecision): string {
  return responses
    .map(({ questionId, answer, optionIds = [] }) => {
      const part = questions.find(({ id }) => id === questionId);
      const labels = (part?.options ?? []).filter(({ id }) => optionIds.includes(id)).map(({ label }) => label);
      return `On "${part?.text ?? questionId}", after it was answered: ${[...labels, ...(answer === undefined ? [] : [answer])].join('. ')}`;
    })
    .join('\n');
}

/** The server is away, or does not know this browser: the decision is sent when that has changed. */
function queue(key: string): void {
  setPhase(key, 'queued');
  clearTimeout(retry);
  retry = setTimeout(() => void sendQueued(), RETRY_MS);
}

let retry: ReturnType<typeof setTimeout> | undefined;

/** In the order of the decisions. */
export async function sendQueued(): Promise<void> {
  if (current().phase !== 'ready') return;
  for (const { key, phase } of current().outgoing) if (phase === 'queued') await send(key);
  await resumeInherited();
}

/** Skips the five seconds. */
export async function sendNow(isLeaving = false): Promise<void> {
  await Promise.all(current().outgoing.map(({ key }) => send(key, isLeaving)));
}

export function leavePage(): void {
  void sendNow(true);
  flushDrafts();
}

/** The text is still in the draft; the present state is shown, whatever view is open. */
async function refused(decision: Decision, error: unknown): Promise<void> {
  const what = `${nameOf(decision)} to "${subjectOf(decision)}"`;
  const isConflict = error instanceof Refusal && error.code === 'CONFLICT';
  if ('assumption' in decision) {
    const { assumption, reason } = decision;
    // Once it is decided, its form is gone.
    if (reason !== undefined && !isConflict) keepReason(assumption.id, reason);
    const words = reason === undefined ? '' : isConflict ? ` You had written: ${plainLine(reason)}` : STILL_HERE;
    return addProblem(`${what} was not taken: ${messageOf(error)}${words}`);
  }
  const { question, act } = decision;
  const { id } = question;
  const notification = act === 'comment' && !isConflict ? undefined : await readAgain(id).catch(() => undefined);
  // The server stored it and could not say so.
  if (notification !== undefined && isOurs(decision, notification)) return reportOutcome(decision, notification);
  if (notification?.status === 'resolved') ended(notification);
  else if (notification !== undefined) updated(notification);
  if (notification === undefined || !isConflict) {
    return addProblem(`${what} was not taken: ${messageOf(error)}${stillHere(id)}`, id);
  }
  if (notification.status === 'resolved') {
    return addProblem(`${what}: ${quickerThan(decision, notification)}${stillHere(id)}`, id);
  }
  addProblem(`${what}: the question changed meanwhile; look at it again.${stillHere(id)}`, id);
}

function stillHere(id: string): string {
  return hasDraft(id) ? STILL_HERE : '';
}

const STILL_HERE = ' What you wrote is still here.';

export async function readAgain(id: string): Promise<Question> {
  return (await request<NotificationBody>('GET', at(`/notifications/${id}`))).notification;
}

/**
 * Unsent decisions of closed tabs. Each is sent as if it were made now if the question is unchanged and nothing is
 * lost by it; otherwise it is offered to the person. If two of them differ, neither is sent: the page cannot know which is meant.
 */
export async function resume(decisions: readonly Decision[]): Promise<void> {
  inheritedDecisions.push(...decisions);
  keepWaiting();
  await resumeInherited();
}

const inheritedDecisions: Decision[] = [];
/** The keys of those that are sent as if they were made now. */
const resumedKeys = new Set<string>();
/** Questions that closed tabs decided differently. */
const disputedIds = new Set<string>();
let isResuming = false;

async function resumeInherited(): Promise<void> {
  if (isResuming) return;
  isResuming = true;
  try {
    for (let next = inheritedDecisions[0]; next !== undefined; next = inheritedDecisions[0]) {
      if ('assumption' in next) enqueue(next);
      else await resumeDecision(next);
      if (inheritedDecisions[0] === next) inheritedDecisions.shift();
    }
  } catch {
    // The server is away: they are kept, and looked at again with the queued ones.
  } finally {
    isResuming = false;
    keepWaiting();
  }
}

async function resumeDecision(decision: QuestionDecision): Promise<void> {
  const { id, revision } = decision.question;
  const what = `${nameOf(decision)} to "${subjectOf(decision)}"`;
  try {
    const answer = await readAgain(id);
    // The message that it ended may have been quicker.
    const question = current().ended[id] ?? answer;
    const isComment = decision.act === 'comment';
    if (isComment ? await isAdded(decision) : isOurs(decision, question)) return discardDraft(id);
    bring(question);
    const other = current().outgoing.find((one) => idOf(one.decision) === id);
    if (other !== undefined) return meetOther(decision, other);
    const isAsItWas = question.revision === revision && question.consequence === 'reversible';
    if (isAsItWas && !disputedIds.has(id)) return void resumedKeys.add(enqueue({ ...decision, question }));
    addProblem(`${what} was not sent before the page was closed; look at it again.${stillHere(id)}`, id, decision);
  } catch (error) {
    if (!(error instanceof Refusal) || isLocked(error)) throw error;
    addProblem(
      `${what} was not sent before the page was closed: ${messageOf(error)} You had written: ${textOf(draftOf(decision.responses))}`,
    );
  }
}

/** What the person decides here and now goes before what a closed tab left. */
function meetOther(decision: QuestionDecision, { key, phase, decision: other }: Outgoing): void {
  if ('question' in other && saysTheSame(other, decision)) return;
  const { id } = decision.question;
  disputedIds.add(id);
  if (resumedKeys.has(key) && phase !== 'sending') remove(key);
  const what = `${nameOf(decision)} to "${subjectOf(decision)}"`;
  const words = textOf(draftOf(decision.responses));
  const reason =
    'was not sent before the page was closed, and another tab had decided it differently; look at it again';
  addProblem(`${what} ${reason}.${hasDraft(id) || words === '' ? stillHere(id) : ` You had written: ${words}`}`, id);
}

function saysTheSame(left: QuestionDecision, right: QuestionDecision): boolean {
  return left.act === right.act && JSON.stringify(left.responses) === JSON.stringify(right.responses);
}

/** These decisions belong to another project than the one shown now; they stay stored for that project. */
export function forgetOutgoing(): void {
  for (const { key } of current().outgoing) stopTimer(key);
  inheritedDecisions.length = 0;
  change({ outgoing: [] });
}

function set(outgoing: readonly Outgoing[]): void {
  change({ outgoing });
  keepWaiting();
}

/** In the browser, for the person and the project that are shown now. */
export function keepWaiting(): void {
  keepDecisions([...current().outgoing.map(({ decision }) => decision), ...inheritedDecisions]);
}

function setPhase(key: string, phase: Outgoing['phase']): void {
  set(current().outgoing.map((one) => (one.key === key ? { ...one, phase } : one)));
}

function remove(key: string): void {
  stopTimer(key);
  set(current().outgoing.filter((one) => one.key !== key));
}

function stopTimer(key: string): void {
  clearTimeout(timers.get(key));
  timers.delete(key);
}
