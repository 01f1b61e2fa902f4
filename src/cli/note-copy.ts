import { toEpochMs } from '../protocol/timestamp.js';
import { plainLine } from '../render/plain-text.js';
import { duration } from '../render/time.js';
import type { CommandLine } from './command-line.js';

/** Younger than this, a copy needs no note. */
const FRESH_MS = 10 * 60_000;

/** For people who see issues of GitHub: how old the copy is, if that may matter. */
export async function noteCopy({ app, out }: CommandLine): Promise<void> {
  const openedApp = app();
  if (openedApp.mode === 'local' || out.isJson) return;
  const state = await openedApp.copyState();
  if (state === undefined) return;
  const { repo, checkedAt, trouble } = state;
  const why = trouble === undefined ? '' : ` ${plainLine(trouble.message)}`;
  if (checkedAt === undefined) {
    out.note(`There is no copy of ${repo} yet: agentx sync.${why}`);
    return;
  }
  const age = toEpochMs(openedApp.clock.now()) - toEpochMs(checkedAt);
  if (age < FRESH_MS && trouble === undefined) return;
  out.note(`This is a copy of ${repo}, ${duration(age)} old.${why}`);
}
