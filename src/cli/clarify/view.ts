import { findAwaiting, hasAsked } from '../../protocol/awaiting.js';
import type { View } from '../../render/thread.js';
import type { Active } from '../check.js';
import type { CommandLine } from '../command-line.js';

/** For a person at a terminal, or for a program that reads us through a pipe. */
export function viewOf(line: CommandLine): View {
  const { width, paint, isTerminal } = line.out;
  return { width, paint, now: line.app().clock.now(), isRelative: isTerminal };
}

/** The same for lists of clarifications: it also looks up the questions that humans must answer first. */
export async function withAwaiting(line: CommandLine, active: Active, view: View): Promise<View> {
  const records = active.map(({ record }) => record);
  if (!records.some(hasAsked)) return view;
  const { items } = await line.app().questionSummaries();
  return { ...view, awaiting: findAwaiting(records, items) };
}

/** Lists are cut to the width of a terminal; in a pipe they are not. */
export function listViewOf(line: CommandLine): View {
  const view = viewOf(line);
  return line.out.isTerminal ? view : { ...view, width: Number.POSITIVE_INFINITY };
}
