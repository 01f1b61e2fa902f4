import type { CommandLine } from '../command-line.js';
import { interruptible, routeUntil } from './interruptible.js';

/**
 * A non-blocking ask leaves this to another process, and an interrupted blocking one leaves it to its user. It runs no
 * monitor: the ask did, and later commands will.
 */
export async function route(line: CommandLine, typed: string): Promise<number | undefined> {
  const id = await line.app().findId('clarification', typed);
  return interruptible(line, (signal) => routeUntil(line.app(), id, signal));
}
