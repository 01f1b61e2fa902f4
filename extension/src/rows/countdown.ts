import { toEpochMs } from '../../../src/protocol/timestamp.js';
import { countdownText } from '../../../src/render/time.js';
import type { Row } from './row.js';

/** With the time that is left, `in 4:32: Which port?`, in front of what a narrow side bar cuts off. */
export function labelOf({ deadline, label }: Row, now: string): string {
  return deadline === undefined ? label : `${countdownText(deadline, { now, isRelative: true })}: ${label}`;
}

/** As many as a person sees at once count down by the second. */
const BY_THE_SECOND = 50;
const HOUR_MS = 60 * 60 * 1000;

/** The rows whose time left reads differently by now; `tick` counts seconds. */
export function tickingRows(rows: readonly Row[], now: string, tick: number): readonly Row[] {
  const timedRows = rows.filter(({ deadline }) => deadline !== undefined);
  const isNear = ({ deadline = now }: Row) => toEpochMs(deadline) - toEpochMs(now) < HOUR_MS;
  return timedRows.filter((row, index) => tick % 60 === 0 || (index < BY_THE_SECOND && isNear(row)));
}
