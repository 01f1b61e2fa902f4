import type { Question } from '../../src/protocol/question.js';
import type { ClarificationBody, NotificationBody } from '../../src/protocol/rest.js';
import { isLocked, listAll, newest, pagesOf, Refusal, request } from './api.js';
import { takeDrafts } from './drafts.js';
import { resolved } from './list.js';
import { note } from './notes.js';
import { sentSoFar } from './outgoing.js';
import { at, byDeadline, change, current } from './state.js';

const OPEN = '/notifications?order=deadline';
const UNSENT = '/notifications?status=resolved&unsent=true';

/**
 * At first every question is new and shown as it comes. Later, new ones wait for a request, and ended ones stay until
 * they are seen. `onFirst` is called when there is something to look at.
 */
export async function readQuestions(onFirst: () => void): Promise<void> {
  if (current().questions.length > 0) {
    await readAnew();
    change({ phase: 'ready' });
    return onFirst();
  }
  let count = 0;
  for await (const { items, total } of pagesOf(at(OPEN), 'notifications', sentSoFar)) {
    const isFirst = count === 0;
    count += items.length;
    putBelow(items);
    change({ phase: 'ready', toCome: Math.max(0, total - count) });
    if (isFirst) onFirst();
  }
  const unsentQuestions = await listAll(at(UNSENT), 'notifications');
  change({ toCome: 0, ended: endedWith(unsentQuestions) });
  putBelow(unsentQuestions);
}

/** Pages come in the order of the list: nothing visible moves when the next one arrives. */
function putBelow(items: readonly Question[]): void {
  const { questions, selected } = current();
  const knownIds = new Set(questions.map(({ id }) => id));
  const all = [...questions, ...items.filter(({ id }) => !knownIds.has(id))];
  change({ questions: all, selected: selected ?? all[0]?.id });
  takeDrafts(items);
}

function endedWith(unsentQuestions: readonly Question[]) {
  return { ...current().ended, ...Object.fromEntries(unsentQuestions.map((question) => [question.id, question])) };
}

async function readAnew(): Promise<void> {
  const sentBefore = sentSoFar();
  const [open, unsentQuestions] = await Promise.all([
    listAll(at(OPEN), 'notifications'),
    listAll(at(UNSENT), 'notifications'),
  ]);
  // These lists may show a question as open although its decision was sent from here meanwhile.
  if (sentSoFar() !== sentBefore) return readAnew();
  const { questions, arrived, toCome } = current();
  const all = [...open.toSorted(byDeadline), ...unsentQuestions];
  const now = new Map(all.map((question) => [question.id, question]));
  const knownIds = new Set(questions.map(({ id }) => id));
  const updated = questions.map((question) => now.get(question.id) ?? question);
  const others = all.filter(({ id }) => !knownIds.has(id));
  // What was on its way when the reading broke off is not new.
  const isWhole = toCome === 0;
  change({
    questions: isWhole ? updated : [...updated, ...others],
    arrived: isWhole ? others : [],
    toCome: 0,
    ended: endedWith(unsentQuestions),
  });
  takeDrafts(all);
  const arrivedIds = new Set(arrived.map(({ id }) => id));
  if (isWhole) for (const one of others) if (one.status === 'open' && !arrivedIds.has(one.id)) note(one);
  await Promise.all(questions.flatMap(({ id }) => (now.has(id) ? [] : readEnd(id))));
}

async function readEnd(id: string): Promise<void> {
  try {
    const { notification } = await request<NotificationBody>('GET', at(`/notifications/${id}`));
    if (notification.status === 'resolved') resolved(id, notification);
  } catch (error) {
    // Its file was removed: it has ended, and how is unknown.
    if (!(error instanceof Refusal) || error.status !== 404 || isLocked(error)) throw error;
    resolved(id, {});
  }
}

export async function readClarifications(): Promise<void> {
  const clarifications = await listAll(at('/clarifications?status=all'), 'clarifications');
  change({ clarifications, areAsksRead: true });
}

export async function readClarification(id: string): Promise<void> {
  const path = at(`/clarifications/${encodeURIComponent(id)}`);
  const body = await newest(path, () => request<ClarificationBody>('GET', path));
  if (body === undefined) return;
  const { clarification } = body;
  const others = current().clarifications.filter((other) => other.id !== id);
  change({ clarifications: [...others, clarification] });
}
