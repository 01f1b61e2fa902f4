import type { Digest } from '../../src/protocol/digest.js';
import type { View } from '../../src/protocol/place.js';
import type { Question } from '../../src/protocol/question.js';
import { isLocked, listAll, messageOf, Offline, request } from './api.js';
import { textOf } from './draft-versions.js';
import { flushDrafts, inheritDraft, takeDrafts } from './drafts.js';
import { inherit, type Kept, lookForHeritage } from './kept-here.js';
import { added, bring, resolved, updated } from './list.js';
import { connect, type LiveMessage } from './live.js';
import { addProblem } from './notices.js';
import { leavePage, resume, sendQueued, sentSoFar } from './outgoing.js';
import { openSession } from './session.js';
import { at, type Board, byDeadline, change, current, type Listed } from './state.js';

const WEEKS = 6;
const GATHER_MS = 250;
const READ_AGAIN_MS = 5_000;
const SEEN = 'agentx seen';

export async function start(): Promise<void> {
  change({ isFirstVisit: localStorage.getItem(SEEN) === null });
  addEventListener('pagehide', leavePage);
  addEventListener('pageshow', ({ persisted }) => persisted && void readAll());
  document.addEventListener('visibilitychange', () => document.hidden && flushDrafts());
  inherit((left) => void takeOver(left));
  let isConnected = false;
  await openSession(() => {
    if (isConnected) return void readAll();
    isConnected = true;
    connect({
      onMessage: receive,
      onResync: () => void readAll(),
      onOnline: online,
      onRefused: () => void request('GET', '/api/v1/session').catch(() => undefined),
    });
  });
}

export function dismissWelcome(): void {
  localStorage.setItem(SEEN, new Date().toISOString());
  change({ isFirstVisit: false });
}

let reading = 0;
let meanwhile: LiveMessage[] = [];

/** What is told while the lists are read is told again afterwards: the lists may be older. */
async function readAll(): Promise<void> {
  reading += 1;
  const before = sentSoFar();
  try {
    const [open, unsent, clarifications] = await Promise.all([
      listAll<'notifications', Question>(at('/notifications'), 'notifications'),
      listAll<'notifications', Question>(at('/notifications?status=resolved&unsent=true'), 'notifications'),
      listAll<'clarifications', Listed>(at('/clarifications?status=all'), 'clarifications'),
    ]);
    if (sentSoFar() !== before) return await readAll();
    takeIn(open, unsent);
    change({ phase: 'ready', clarifications });
    takeDrafts([...open, ...unsent]);
    lookForHeritage();
    void sendQueued();
    void attempt(readBoard);
    if (current().view !== 'inbox') void show(current().view);
  } catch (error) {
    if (error instanceof Offline || isLocked(error)) return;
    if (current().phase !== 'ready') return change({ phase: 'failed', problem: messageOf(error) });
    addProblem(`The inbox could not be read again: ${messageOf(error)}`);
    setTimeout(() => void readAll(), READ_AGAIN_MS);
  } finally {
    reading -= 1;
    const told = meanwhile;
    if (reading === 0) {
      meanwhile = [];
      for (const message of told) receive(message);
    }
  }
}

/** What a tab that is gone had neither saved nor sent. */
async function takeOver({ drafts, decisions }: Kept): Promise<void> {
  for (const [name, draft] of Object.entries(drafts)) {
    inheritDraft(name, draft);
    await attempt(
      () => bringUnlisted(draft.questionId),
      (why) => addProblem(`${why} You had written: ${textOf(draft.draft)}`),
    );
  }
  await resume(decisions);
}

async function bringUnlisted(id: string): Promise<void> {
  const { questions, arrived } = current();
  if ([...questions, ...arrived].some((question) => question.id === id)) return;
  bring((await request<{ notification: Question }>('GET', at(`/notifications/${id}`))).notification);
}

/** At first everything is new; later, what is new waits to be asked for and what is gone stays until it is seen. */
function takeIn(open: readonly Question[], unsent: readonly Question[]): void {
  const { questions: before, phase, selected } = current();
  const all = [...open.toSorted(byDeadline), ...unsent];
  const ended = { ...current().ended, ...Object.fromEntries(unsent.map((question) => [question.id, question])) };
  if (phase !== 'ready' || before.length === 0) {
    change({ questions: all, arrived: [], ended, selected: selected ?? all[0]?.id });
    return;
  }
  const now = new Map(all.map((question) => [question.id, question]));
  const known = new Set(before.map(({ id }) => id));
  change({
    questions: before.map((question) => now.get(question.id) ?? question),
    arrived: all.filter(({ id }) => !known.has(id)),
    ended,
  });
  for (const { id } of before) if (!now.has(id)) void readEnd(id);
}

async function readEnd(id: string): Promise<void> {
  await attempt(async () => {
    const { notification } = await request<{ notification: Question }>('GET', at(`/notifications/${id}`));
    if (notification.status === 'resolved') resolved(id, notification);
  });
}

function online(isOnline: boolean): void {
  change({ isOnline });
  if (!isOnline) return;
  void sendQueued();
  if (!isRead(current().view)) void show(current().view);
}

/** Whether a view has something to show, however old. */
function isRead(view: View): boolean {
  const { board, assumptions, weeks } = current();
  const contents: Partial<Record<View, unknown>> = { board, assumptions, digest: weeks };
  return !(view in contents) || contents[view] !== undefined;
}

/** Reads what a view needs beyond what is always there. */
export async function show(view: View): Promise<void> {
  change({ view, unread: undefined, ...(view === current().view ? {} : { notice: undefined }) });
  await attempt(
    async () => {
      if (view === 'board') await readBoard();
      if (view === 'assumptions') change(await request('GET', at('/assumptions')));
      if (view === 'digest') await readWeeks();
    },
    (problem) => (isRead(view) ? addProblem(problem) : change({ unread: problem })),
  );
}

async function readBoard(): Promise<void> {
  const [{ agents }, queue, { autonomy }, tasks] = await Promise.all([
    request<Pick<Board, 'agents'>>('GET', at('/agents')),
    request<Pick<Board, 'ready' | 'blocked'>>('GET', at('/ready')),
    request<Pick<Board, 'autonomy'>>('GET', at('/autonomy')),
    listAll<'tasks', Board['tasks'][number]>(at('/tasks'), 'tasks'),
  ]);
  change({ board: { agents, ...queue, autonomy, tasks } });
}

async function readWeeks(): Promise<void> {
  const weeks: Digest[] = [];
  while (weeks.length < WEEKS) {
    const week = weeks.at(-1)?.before.week;
    const { digest } = await request<{ digest: Digest }>(
      'GET',
      at(`/digest${week === undefined ? '' : `?week=${week}`}`),
    );
    weeks.push(digest);
  }
  change({ weeks });
}

let boardTimer: ReturnType<typeof setTimeout> | undefined;

/** A message of the server: what changed, whoever changed it. */
function receive(message: LiveMessage): void {
  if (reading > 0) {
    meanwhile.push(message);
    return;
  }
  const { type, notification, notificationId, clarificationId, outcome, answeredBy, responses } = message;
  if (notification !== undefined) (type === 'notification.added' ? added : updated)(notification);
  else if (notificationId !== undefined) {
    resolved(notificationId, {
      ...(outcome && { outcome }),
      ...(answeredBy && { answeredBy }),
      ...(responses && { responses }),
    });
  } else if (type.startsWith('clarification.') && clarificationId) void readClarification(clarificationId);
  else if (type.startsWith('assumption.') && current().view === 'assumptions') void show('assumptions');
  if (/^(agent|task|run|clarification)\./.test(type)) {
    clearTimeout(boardTimer);
    boardTimer = setTimeout(() => void attempt(readBoard), GATHER_MS);
  }
}

async function readClarification(id: string): Promise<void> {
  await attempt(async () => {
    const { clarification } = await request<{ clarification: Listed }>('GET', at(`/clarifications/${id}`));
    const others = current().clarifications.filter((other) => other.id !== id);
    change({ clarifications: [...others, clarification] });
  });
}

/** A refusal is shown until it is read; that the server is away, or the page locked, is shown anyway. */
async function attempt(work: () => Promise<void>, onProblem: (text: string) => void = addProblem): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Offline) && !isLocked(error)) onProblem(messageOf(error));
  }
}
