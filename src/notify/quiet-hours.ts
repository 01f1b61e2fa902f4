import { QUIET } from '../protocol/notify.js';

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const QUARTER = 15;

export interface QuietHours {
  readonly quiet?: string | undefined;
  /** The time zone; without it, that of this machine. */
  readonly time_zone?: string | undefined;
}

/** The first moment at or after `at` that is not in the quiet hours. Pure. */
export function afterQuietHours(at: number, { quiet, time_zone }: QuietHours): number {
  const [, ...parts] = QUIET.exec(quiet ?? '') ?? [];
  if (parts.length === 0) return at;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.map(Number);
  const from = fromHour * 60 + fromMinute;
  const to = toHour * 60 + toMinute;
  const minuteOfDay = clockIn(time_zone);
  let moment = at;
  // In steps of a quarter of an hour, because clocks change at such moments.
  for (let steps = 0; steps <= (25 * 60) / QUARTER; steps++) {
    const now = minuteOfDay(moment);
    if (!isWithin(now, from, to)) return moment;
    const minutes = (to - now + DAY_MINUTES) % DAY_MINUTES;
    const minute = Math.floor(moment / MINUTE_MS);
    moment = (minute + Math.min(minutes, QUARTER - (minute % QUARTER))) * MINUTE_MS;
  }
  return moment;
}

/** From 22:00 to 07:00 goes over midnight; the same time twice is no time at all. */
function isWithin(now: number, from: number, to: number): boolean {
  if (from === to) return false;
  return from < to ? now >= from && now < to : now >= from || now < to;
}

function clockIn(timeZone: string | undefined): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return (at) => {
    const [hour = 0, minute = 0] = format.format(at).split(':').map(Number);
    return hour * 60 + minute;
  };
}
