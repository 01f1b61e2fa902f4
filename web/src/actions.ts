import type { Digest } from '../../src/protocol/digest.js';
import { messageOf } from '../../src/protocol/errors.js';
import type { FeedMessage } from '../../src/protocol/feed.js';
import type { View } from '../../src/protocol/page-address.js';
import type {
  AgentsBody,
  AutonomyBody,
  BranchesBody,
  DigestBody,
  NotificationBody,
  ReadyBody,
  RunsBody,
} from '../../src/protocol/rest.js';
import { hereByAddress, lostAddress } from './address.js';
import { isLocked, listAll, newest, Offline, request } from './api.js';
import { inherit, lookForHeritage, type StoredWork } from './browser-storage.js';
import { takeChoice } from './choice.js';
import { textOf } from './draft-versions.js';
import { flushDrafts, inheritDraft } from './drafts.js';
import { added, bring, resolved, updated } from './list.js';
import { connect, distrust } from './live.js';
import { readMemory } from './memory.js';
import { note } from './notes.js';
import { addProblem } from './notices.js';
import { leavePage, resume, sendQueued } from './outgoing.js';
import { readClarification, readClarifications, readQuestions } from './read-lists.js';
import { onUnread, seek, stateAt } from './read-named.js';
import { onClockJump } from './server-clock.js';
import { openSession, reach } from './session.js';
import { at, change, current } from './state.js';
import { ofBrowser } from './storage.js';

const WEEKS = 6;
const GATHER_MS = 250;
const READ_AGAIN_MS = 5_000;
const SEEN = 'agentx seen';
const MAX_SHOWN = 80;

export async function start(): Promise<void> {
  change({ isFirstVisit: ofBrowser.get(SEEN) === undefined });
  addEventListener('pagehide', leavePage);
  addEventListener('pageshow', ({ persisted }) => persisted && void readAll());
  document.addEventListener('visibilitychange', () => document.hidden && flushDrafts());
  inherit((work) => void takeOver(work));
  onUnread(readLater);
  let isConnected = false;
  await openSession(() => {
    if (isConnected) return void readAll();
    isConnected = true;
    const lostPath = lostAddress();
    if (lostPath !== undefined) addProblem(`There is nothing at ${lostPath.slice(0, MAX_SHOWN)}. This is the inbox.`);
    change(stateAt(hereByAddress()));
    void attempt(takeChoice);
    addEventListener('hashchange', () => void attempt(takeChoice));
    connect({
      onMessage: receive,
      onResync: () => void readAll(),
      onOpen: opened,
      onLost: () => change({ isOnline: false, isLive: false }),
      onRefused: () => void readWithoutFeed(),
    });
    onClockJump(distrust);
  });
}

export function dismissWelcome(): void {
  ofBrowser.set(SEEN, new Date().toISOString());
  change({ isFirstVisit: false });
}

/** A failed read is repeated soon, or when the server is back. */
let isReadDue = false;
let readTimer: ReturnType<typeof setTimeout> | undefined;

export function readLater(): void {
  isReadDue = true;
  clearTimeout(readTimer);
  readTimer = setTimeout(() => current().isOnline && readDue(), READ_AGAIN_MS);
}

function readDue(): void {
  if (isReadDue && current().phase !== 'locked') void readAll();
}

let readCount = 0;
let meanwhile: FeedMessage[] = [];

/** Messages that arrive while the lists are read are applied again afterwards: the lists may be older. */
async function readAll(): Promise<void> {
  isReadDue = false;
  readCount += 1;
  const onFirst = () => {
    void attempt(readBoard);
    if (current().view !== 'inbox') void show(current().view);
    else void seek();
  };
  try {
    await Promise.all([readQuestions(onFirst), readClarifications().then(seek)]);
    lookForHeritage();
    void sendQueued();
    void attempt(takeChoice);
  } catch (error) {
    if (isLocked(error)) return;
    readLater();
    if (error instanceof Offline) return;
    if (current().phase !== 'ready') return change({ phase: 'failed', problem: messageOf(error) });
    addProblem(`The inbox could not be read again: ${messageOf(error)}`);
  } finally {
    readCount -= 1;
    const missedMessages = meanwhile;
    if (readCount === 0) {
      meanwhile = [];
      for (const message of missedMessages) receive(message);
    }
  }
}

/** Takes over what a closed tab had neither saved nor sent. */
async function takeOver({ drafts, decisions }: StoredWork): Promise<void> {
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
  bring((await request<NotificationBody>('GET', at(`/notifications/${id}`))).notification);
}

/** Messages come in, and the page is online again if requests get through, too. */
async function opened(): Promise<boolean> {
  change({ isLive: true });
  const isReached = await reach();
  if (isReached) online();
  return isReached;
}

/** A proxy between the page and the server may let requests through and no feed: then the page reads often. */
async function readWithoutFeed(): Promise<void> {
  const isOnline = await reach();
  if (current().isLive) return;
  change({ isOnline });
  if (isOnline && readCount === 0 && current().phase !== 'locked') await readAll();
}

function online(): void {
  change({ isOnline: true });
  readDue();
  void sendQueued();
  const { view, memory } = current();
  if (!isRead(view) || (view === 'memory' && memory?.refusal !== undefined)) void show(view);
}

/** Whether a view has something to show, however old. */
function isRead(view: View): boolean {
  const { board, assumptions, memory, weeks } = current();
  const contents: Partial<Record<View, unknown>> = { board, assumptions, memory, digest: weeks };
  return !(view in contents) || contents[view] !== undefined;
}

/** Reads what a view needs beyond what is always loaded. */
export async function show(view: View): Promise<void> {
  change({ view, unread: undefined, ...(view === current().view ? {} : { notice: undefined }) });
  await attempt(
    async () => {
      if (view === 'board') await readBoard();
      if (view === 'assumptions') await readAssumptions();
      if (view === 'memory') await readMemory();
      if (view === 'digest') await readWeeks();
    },
    (problem) => {
      if (isRead(view)) addProblem(problem);
      else if (current().view === view) change({ unread: problem });
    },
  );
}

async function readBoard(): Promise<void> {
  const board = await newest('board', async () => {
    const [{ agents }, { runs }, { branches }, queue, { autonomy }, tasks] = await Promise.all([
      request<AgentsBody>('GET', at('/agents')),
      request<RunsBody>('GET', at('/runs')),
      request<BranchesBody>('GET', at('/branches')),
      request<ReadyBody>('GET', at('/ready')),
      request<AutonomyBody>('GET', at('/autonomy')),
      listAll(at('/tasks'), 'tasks'),
    ]);
    return { agents, runs, branches, ...queue, autonomy, tasks };
  });
  if (board !== undefined) change({ board });
}

async function readAssumptions(): Promise<void> {
  const assumptions = await newest('assumptions', () => listAll(at('/assumptions'), 'assumptions'));
  if (assumptions !== undefined) change({ assumptions });
}

async function readWeeks(): Promise<void> {
  const newest = current().week;
  const weeks: Digest[] = [];
  while (weeks.length < WEEKS) {
    const week = weeks.length === 0 ? newest : weeks.at(-1)?.before.week;
    const { digest } = await request<DigestBody>(
      'GET',
      at(`/digest${week === undefined ? '' : `?week=${encodeURIComponent(week)}`}`),
    );
    weeks.push(digest);
  }
  // The person may have chosen another week by now.
  if (current().week === newest) change({ weeks });
}

/** Soon, once for many messages, and one reading at a time, however long the messages keep coming. */
function soon(read: () => Promise<void>): () => Promise<void> {
  let isOld = false;
  let isDue = false;
  return async () => {
    isOld = true;
    if (isDue) return;
    isDue = true;
    while (isOld) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      isOld = false;
      await read();
    }
    isDue = false;
  };
}

const readBoardSoon = soon(() => attempt(readBoard));
const readViewSoon = soon(() => show(current().view));

/** A message of the server about a change, no matter who made it. */
function receive(message: FeedMessage): void {
  if (readCount > 0) {
    meanwhile.push(message);
    return;
  }
  if (message.type === 'notification.added') {
    added(message.notification);
    note(message.notification);
  } else if (message.type === 'notification.updated') updated(message.notification);
  else if (message.type === 'notification.resolved') {
    const { notificationId, outcome, answeredBy, responses, reason } = message;
    resolved(notificationId, {
      ...(outcome && { outcome }),
      ...(answeredBy && { answeredBy }),
      ...(responses && { responses }),
      ...(reason && { reason }),
    });
  } else if (message.type === 'assumption.updated') {
    if (current().view === 'assumptions') void readViewSoon();
  } else if (message.type === 'memory.updated') {
    if (current().view === 'memory') void readViewSoon();
  } else {
    // Messages about agents, tasks, runs and clarifications: only those about clarifications have a topic.
    if ('topic' in message) void attempt(() => readClarification(message.clarificationId));
    void readBoardSoon();
  }
}

/** A refusal is shown until it is read. That the server is away, or the page locked, is shown anyway. */
async function attempt(work: () => Promise<void>, onProblem: (text: string) => void = addProblem): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Offline) readLater();
    else if (!isLocked(error)) onProblem(messageOf(error));
  }
}
