import { ago } from './clock.js';

/** How long ago, as people say it; when exactly, on the clock of whoever reads it, is told on hover. */
export function Ago({ at, now }: { readonly at: string; readonly now: number }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at, now)}
    </time>
  );
}

/** What the clock of whoever reads it said; of another day, with the day. */
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
