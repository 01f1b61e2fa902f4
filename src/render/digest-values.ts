import type { Digest, DigestTarget } from '../protocol/digest.js';

/** `82 %`, `2.33`, or `-` where there is nothing to measure. */
export function valueText(value: number | null, unit: DigestTarget['unit']): string {
  if (value === null) return '-';
  return unit === 'share' ? `${shortened(value * 100, 10)} %` : shortened(value, 100);
}

function shortened(value: number, steps: number): string {
  return String(Math.round(value * steps) / steps);
}

/** `16 to 22 Nov 2026` */
export function weekText({ from, to }: Pick<Digest, 'from' | 'to'>): string {
  const first = new Date(from);
  const last = new Date(Date.parse(to) - 1);
  const start = first.getUTCDate();
  const end = `${last.getUTCDate()} ${monthOf(last)} ${last.getUTCFullYear()}`;
  if (first.getUTCFullYear() !== last.getUTCFullYear()) {
    return `${start} ${monthOf(first)} ${first.getUTCFullYear()} to ${end}`;
  }
  return first.getUTCMonth() === last.getUTCMonth() ? `${start} to ${end}` : `${start} ${monthOf(first)} to ${end}`;
}

/** `half within 12 s, 9 of 10 within 3 min (21 answers)` */
export function timesText({ count, medianMs, p90Ms }: Digest['timeToAnswer']['agents']): string {
  if (medianMs === null || p90Ms === null) return 'no answer';
  const answers = count === 1 ? '1 answer' : `${count} answers`;
  return `half within ${limitText(medianMs)}, 9 of 10 within ${limitText(p90Ms)} (${answers})`;
}

/** Rounded up, so that "within" stays true. */
function limitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds <= 90) return `${seconds} s`;
  if (seconds <= 90 * 60) return `${Math.ceil(seconds / 60)} min`;
  const hours = Math.ceil(seconds / 3600);
  return hours <= 48 ? `${hours} h` : `${Math.ceil(hours / 24)} days`;
}

export function verdictOf({ isMet }: DigestTarget): 'met' | 'missed' | '-' {
  if (isMet === null) return '-';
  return isMet ? 'met' : 'missed';
}

/** `1 answer`, `2 answers`. */
export function plural(count: number, one: string, manyName = `${one}s`): string {
  return `${count} ${count === 1 ? one : manyName}`;
}

/** Advice about the topic that agents ask about again and again, if there is one. */
export function adviceOf({
  topics,
}: Pick<Digest, 'topics'>): { readonly topic: string; readonly count: number } | undefined {
  return topics.find(({ count }) => count >= OFTEN);
}

const OFTEN = 3;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function monthOf(day: Date): string {
  return MONTHS[day.getUTCMonth()] ?? '';
}
