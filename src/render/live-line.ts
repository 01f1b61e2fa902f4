import { columnsOf, cutTo, spread } from './columns.js';
import type { Paint } from './conversation.js';
import { nameColumn, seconds } from './run.js';

/** An agent at work, and since when. */
export interface AtWork {
  readonly agent: string;
  readonly what: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface LiveView {
  readonly paint: Paint;
  readonly width: number;
  readonly now: number;
}

const FRAMES = ['|', '/', '-', '\\'];
const FRAME_MS = 150;

/** One line for each agent at work, no longer than the width, with a spinner. */
export function renderLive(work: readonly AtWork[], { paint, width, now }: LiveView): readonly string[] {
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? '';
  return work.map(({ agent, what, since }) => {
    const name = nameColumn(agent);
    const space = Math.min(width, 84) - columnsOf(name);
    if (space < 16) return paint.name(cutTo(`${frame} ${name.trimEnd()}`, width));
    const end = `${frame} ${seconds(wholeSeconds(now - since)).padStart(6)}`;
    const line = spread(`${what}...`, end, space);
    return `${paint.name(name.trimEnd())}${name.slice(name.trimEnd().length)}${line.slice(0, -end.length)}${paint.quiet(end)}`;
  });
}

/** Tenths would flicker. */
function wholeSeconds(milliseconds: number): number {
  return milliseconds < 10_000 ? Math.floor(milliseconds / 100) * 100 : milliseconds;
}
