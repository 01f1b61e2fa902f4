import { QUIET } from '../protocol/notify.js';

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

export interface QuietHours {
  readonly quiet?: string | undefined;
  /** Without one, that of this machine. */
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
  // Hour by hour, because the clocks may be changed in between.
  for (let hour = 0; hour <= 25; hour++) {
    const now = minuteOfDay(moment);
    if (!isWithin(now, from, to)) return moment;
    const left = (to - now + DAY_MINUTES) % DAY_MINUTES;
    moment = Math.floor(moment / MINUTE_MS) * MINUTE_MS + Math.min(left, 60) * MINUTE_MS;
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
