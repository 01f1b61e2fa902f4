import { useEffect, useState } from 'preact/hooks';
import type { Question } from '../../../src/protocol/question.js';

/** The time, drawn again every second while somebody looks. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 120) return `${Math.floor(minutes / 60)} h`;
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

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

/** How long until the fallback is taken; while somebody types, what is left stands still. */
export function timeLeft({ expiresAt = '', typing }: Question, now: number) {
  const isHeld = typing !== undefined && now - Date.parse(typing.at) < TYPING_MS && typing.heldMs < MAX_TYPING_MS;
  const from = isHeld ? Date.parse(typing.at) + TYPING_MS : now;
  return { isHeld, left: Date.parse(expiresAt) - from };
}

/** Who else is writing an answer at this moment. */
export function whoElse({ typing, drafts = [] }: Question, principal: string, now: number): string | undefined {
  const isFresh = (note: { readonly principal: string; readonly at: string }) =>
    note.principal !== principal && now - Date.parse(note.at) < TYPING_MS;
  return [...(typing === undefined ? [] : [typing]), ...drafts.toReversed()].find(isFresh)?.principal;
}
