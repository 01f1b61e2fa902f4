import { AgentXError } from './errors.js';
import { shorten } from './shorten.js';
import { type Timestamp, toEpochMs } from './timestamp.js';

/*
 * Weeks as ISO 8601 counts them, in UTC: from Monday to Sunday, named after the year of the Thursday. The last days of
 * December may be in week 1 of the next year, the first of January in week 52 or 53 of the one before.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 7;
const THURSDAY = 3;

/** From `from` up to but not including `to`, in epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** `2026-W09`; INVALID_INPUT if there is no such week, such as week 53 of a year that has 52. */
export function parseWeek(value: string): string {
  if (/^(?:19|2\d)\d\d-W\d\d$/.test(value) && weekAt(mondayOf(value)) === value) return value;
  const shortValue = shorten(String(value), 80);
  throw new AgentXError(
    'INVALID_INPUT',
    `'${shortValue}' is not a week. Allowed: ISO weeks from 1900-W01 to 2999-W52, such as 2026-W09.`,
    { week: shortValue },
  );
}

export function weekOf(at: Timestamp): string {
  return weekAt(Math.floor(toEpochMs(at) / DAY_MS));
}

export function weekSpan(week: string): Span {
  const monday = mondayOf(week);
  return { from: monday * DAY_MS, to: (monday + DAYS) * DAY_MS };
}

export function weekBefore(week: string): string {
  return weekAt(mondayOf(week) - DAYS);
}

export function isWithin({ from, to }: Span, at: Timestamp): boolean {
  const ms = Date.parse(at);
  return from <= ms && ms < to;
}

/** The days of a span that starts at midnight, as `2026-02-26`. */
export function daysOf({ from, to }: Span): readonly string[] {
  return Array.from({ length: Math.ceil((to - from) / DAY_MS) }, (_, index) => dayOf(from + index * DAY_MS));
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Days are counted from 1970-01-01, which was a Thursday. */
function weekAt(day: number): string {
  const thursday = day - weekday(day) + THURSDAY;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY_MS) / DAYS) + 1;
  return `${String(year).padStart(4, '0')}-W${String(number).padStart(2, '0')}`;
}

/** January 4 is in week 1 of every year. */
function mondayOf(week: string): number {
  const [year, number] = week.split('-W').map(Number);
  const fourth = Date.UTC(year ?? 0, 0, 4) / DAY_MS;
  return fourth - weekday(fourth) + ((number ?? 1) - 1) * DAYS;
}

/** 0 for Monday. */
function weekday(day: number): number {
  return (((day + THURSDAY) % DAYS) + DAYS) % DAYS;
}
