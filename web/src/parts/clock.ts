import { useEffect, useState } from 'preact/hooks';
import type { Question } from '../../../src/protocol/question.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { serverNow } from '../server-clock.js';

/** The time of the server, updated every second while the page is visible. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The remaining time, in one unit: `45 s`, `88 min`, `3 h`, `2 days`. */
export function inWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes < 1) return `${seconds} s`;
  if (minutes < 120) return `${minutes} min`;
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** The same, with seconds if they are few enough to count: `4 min 31 s`. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const isCounted = seconds >= 60 && seconds < COUNTED_SECONDS && seconds % 60 > 0;
  return isCounted ? `${inWords(milliseconds)} ${seconds % 60} s` : inWords(milliseconds);
}

const COUNTED_SECONDS = 600;

export function ago(from: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(from)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** A keystroke holds the clock for half a minute, all of them together for a quarter of an hour. */
const TYPING_MS = 30_000;
const MAX_TYPING_MS = 15 * 60_000;

/** How long until the fallback applies; the remaining time stands still while a person types. */
export function timeLeft({ expiresAt = '', typing }: Question, now: number) {
  const isHeld = typing !== undefined && now - Date.parse(typing.at) < TYPING_MS && typing.heldMs < MAX_TYPING_MS;
  const from = isHeld ? Date.parse(typing.at) + TYPING_MS : now;
  return { isHeld, left: Date.parse(expiresAt) - from };
}

/** Another person who is writing an answer at this moment. */
export function whoElse({ typing, drafts = [] }: Question, principal: string, now: number): string | undefined {
  const isFresh = (note: { readonly principal: string; readonly at: string }) =>
    note.principal !== principal && now - Date.parse(note.at) < TYPING_MS;
  const other = [...(typing === undefined ? [] : [typing]), ...drafts.toReversed()].find(isFresh);
  return other === undefined ? undefined : plainLine(other.principal);
}
