import { ago } from './clock.js';

/** How long ago, as people say it; the exact local time appears on hover. */
export function Ago({ at, now }: { readonly at: string; readonly now: number }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at, now)}
    </time>
  );
}

/** The reader's local time; for another day, with the date. */
export function LocalTime({ at }: { readonly at: string }) {
  const when = new Date(at);
  const isToday = when.toDateString() === new Date().toDateString();
  const day = isToday ? '' : `${when.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })}, `;
  return (
    <time dateTime={at} title={exactly(at)}>
      {day}
      {when.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
    </time>
  );
}

/** To the second, with the zone. */
export function exactly(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'long' });
}
