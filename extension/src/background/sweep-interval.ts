const MINUTE_MS = 60_000;
const DEFAULT = 5;
const [LEAST, MOST] = [1, 1440];

/** The time between two sweeps. The editor hands on whatever stands in a file of settings, also what it warns of. */
export function sweepIntervalMs(minutes: unknown): number {
  const minutesOrDefault = typeof minutes === 'number' && Number.isFinite(minutes) ? minutes : DEFAULT;
  return Math.min(Math.max(minutesOrDefault, LEAST), MOST) * MINUTE_MS;
}
