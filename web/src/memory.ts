import { messageOf } from '../../src/protocol/errors.js';
import type { MemorySearchBody, MemoryStatsBody, TimelineBody } from '../../src/protocol/rest.js';
import { plainLine } from '../../src/render/plain-text.js';
import { isLocked, Offline, Refusal, request } from './api.js';
import { EVERYTHING, type MemoryRoom, type MemorySearch } from './memory-room.js';
import { serverNow } from './server-clock.js';
import { at, change, current } from './state.js';

const SHOWN = 50;
const DAY_MS = 86_400_000;
/** A search for each letter that is typed, but not for each of a word typed at once. */
const TYPING_MS = 120;

/** Reads the room as it was left, and the observation that the address names. */
export async function readMemory(): Promise<void> {
  const search = current().memory?.search ?? EVERYTHING;
  const { observation } = current();
  const [stats, results, timeline] = await Promise.all([
    request<MemoryStatsBody>('GET', at('/memory/stats')),
    hasIssue(search) ? request<MemorySearchBody>('GET', at(pathOf(search))) : undefined,
    observation === undefined ? undefined : readAround(observation),
  ]);
  const { memory, observation: namedId } = current();
  // The person may have typed on, or gone on, by now.
  const isCurrent = memory === undefined || memory.search === search;
  const room = isCurrent && results !== undefined ? { search, found: results } : memory;
  if (room === undefined) return;
  change({ memory: { ...room, stats, around: namedId === observation ? timeline : memory?.around } });
}

async function readAround(id: string): Promise<TimelineBody | undefined> {
  try {
    return await request<TimelineBody>('GET', at(`/memory/${encodeURIComponent(id)}/timeline`));
  } catch (error) {
    if (!(error instanceof Refusal) || (error.status !== 404 && error.status !== 400)) throw error;
    if (current().observation === id)
      change({ missing: { id, text: `There is no observation ${plainLine(id.slice(0, 80))} here.` } });
    return undefined;
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows what is typed at once, and what it finds as soon as the server says so. */
export function searchFor(changes: Partial<MemorySearch>): void {
  const { memory } = current();
  if (memory === undefined) return;
  const search = { ...memory.search, ...changes };
  change({ memory: { ...memory, search } });
  clearTimeout(timer);
  timer = setTimeout(() => void find(search), 'query' in changes ? TYPING_MS : 0);
}

async function find(search: MemorySearch): Promise<void> {
  if (!hasIssue(search)) return show(search, { refusal: 'An issue is a number, such as 42.' });
  try {
    const results = await request<MemorySearchBody>('GET', at(pathOf(search)));
    show(search, { found: results, refusal: undefined });
  } catch (error) {
    // When the server is back, or knows this browser again, the room is read again.
    if (error instanceof Offline)
      show(search, { refusal: 'The server is away. It searches for this when it is back.' });
    else if (!isLocked(error)) show(search, { refusal: messageOf(error) });
  }
}

/** Whether a server would take it: no issue at all, or a number. */
function hasIssue({ issue }: MemorySearch): boolean {
  return /^\s*#?\d*\s*$/.test(issue);
}

/** An answer to what was typed before is late. */
function show(search: MemorySearch, news: Partial<MemoryRoom>): void {
  const { memory } = current();
  if (memory !== undefined && memory.search === search) change({ memory: { ...memory, ...news } });
}

function pathOf({ query, category, agent, issue, days }: MemorySearch): string {
  const since = days === 0 ? '' : new Date(serverNow() - days * DAY_MS).toISOString();
  const parameters = Object.entries({
    q: query.trim(),
    category,
    agent,
    issue: issue.replace(/^\s*#|\s+/g, ''),
    since,
  });
  const filters = parameters.filter(([, value]) => value !== '');
  return `/memory/search?${new URLSearchParams([...filters, ['typing', 'true'], ['limit', String(SHOWN)]])}`;
}

let isFocusWanted = false;

/** At once, or when the room is drawn. */
export function focusSearch(): void {
  isFocusWanted = true;
  takeFocus(document.querySelector<HTMLInputElement>('.memory input[type=search]'));
}

export function takeFocus(field: HTMLInputElement | null): void {
  if (field === null || !isFocusWanted) return;
  isFocusWanted = false;
  field.focus();
  field.select();
}
