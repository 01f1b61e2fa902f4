import type { CommandLine } from '../command-line.js';
import { interruptible, routeOrNote } from './interruptible.js';

/**
 * A non-blocking ask leaves this to another process, and an interrupted blocking one leaves it to its user. It runs no
 * monitor: the ask did, and later commands will.
 */
export async function route(line: CommandLine, typedId: string): Promise<number | undefined> {
  const id = await line.app().findId('clarification', typedId);
  return interruptible(line, (signal) => routeOrNote(line, id, signal));
}
