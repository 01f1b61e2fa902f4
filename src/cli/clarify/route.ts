import type { CommandLine } from '../command-line.js';
import { findClarificationId } from '../find-id.js';
import { interruptible } from './interruptible.js';
import { routeUntil } from './route-until.js';

/** What a non-blocking ask leaves to another process, and a blocking one that was interrupted to its user. The monitor has run when it was asked, and will run again. */
export async function route(line: CommandLine, typed: string): Promise<number | undefined> {
  const id = await findClarificationId(line.app(), typed);
  return interruptible(line, (signal) => routeUntil(line.app(), id, signal));
}
