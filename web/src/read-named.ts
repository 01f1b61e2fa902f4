import { messageOf } from '../../src/protocol/errors.js';
import type { Place } from '../../src/protocol/page-address.js';
import type { NotificationBody } from '../../src/protocol/rest.js';
import { plainLine } from '../../src/render/plain-text.js';
import { isLocked, Offline, Refusal, request } from './api.js';
import { insertArrived } from './list.js';
import { readClarification } from './read-lists.js';
import { at, byDeadline, change, current, type State } from './state.js';

/** The part of the state that an address decides. */
export function stateAt({ view, id }: Place): Partial<State> {
  switch (view) {
    case 'inbox':
      return { view, ...(id === undefined ? {} : { selected: id }) };
    case 'asks':
      return { view, openThread: id };
    case 'assumptions':
      return { view, assumption: id };
    case 'memory':
      return { view, observation: id };
    case 'digest':
      return { view, week: id, ...(id === current().week ? {} : { weeks: undefined }) };
    case 'board':
      return { view };
  }
}

/** Reads what the address names and the lists do not hold: it ended long ago, or its page is still on the way. */
export async function seek(): Promise<void> {
  const { view, selected, openThread, questions, arrived, clarifications, areAsksRead } = current();
  const isIn = (list: readonly { readonly id: string }[], wantedId: string) => list.some(({ id }) => id === wantedId);
  if (view === 'inbox' && selected !== undefined && !isIn(questions, selected)) {
    if (isIn(arrived, selected)) return insertArrived();
    return find(selected, 'question', () => readQuestion(selected));
  }
  if (view === 'asks' && areAsksRead && openThread !== undefined && !isIn(clarifications, openThread)) {
    return find(openThread, 'clarification', () => readClarification(openThread));
  }
}

let soughtId: string | undefined;
let tellUnread: () => void = () => {};

/** Calls back when the read failed for a reason that may pass. */
export function onUnread(work: () => void): void {
  tellUnread = work;
}

async function find(id: string, what: string, read: () => Promise<void>): Promise<void> {
  if (soughtId === id) return;
  soughtId = id;
  try {
    await read();
  } catch (error) {
    if (isLocked(error)) return;
    const isUnknown = error instanceof Refusal && (error.status === 404 || error.status === 400);
    if (!isUnknown) tellUnread();
    if (error instanceof Offline) return;
    const text = isUnknown ? `There is no ${what} ${shortened(id)} here.` : messageOf(error);
    change({ missing: { id, text } });
  } finally {
    if (soughtId === id) soughtId = undefined;
  }
}

/** An address may hold anything: its control characters and turns of direction are left out. */
const shortened = (id: string): string => plainLine(id.length > 80 ? `${id.slice(0, 80)}...` : id);

async function readQuestion(id: string): Promise<void> {
  const path = at(`/notifications/${encodeURIComponent(id)}`);
  const { notification } = await request<NotificationBody>('GET', path);
  const { questions, ended, selected } = current();
  if (selected !== id || questions.some((other) => other.id === id)) return;
  if (notification.status === 'open') change({ questions: [...questions, notification].toSorted(byDeadline) });
  else change({ questions: [...questions, notification], ended: { ...ended, [id]: notification } });
}
