import { findAwaiting, hasAsked } from '../../protocol/awaiting.js';
import type { View } from '../../render/thread.js';
import type { Active } from '../check.js';
import type { CommandLine } from '../command-line.js';

/** What a person at a terminal gets, or a program that reads us through a pipe. */
export function viewOf(line: CommandLine): View {
  const { width, paint, isTerminal } = line.out;
  return { width, paint, now: line.app().clock.now(), isRelative: isTerminal };
}

/** The same, where the clarifications themselves are shown: what humans have to answer first is looked up. */
export async function withAwaiting(line: CommandLine, active: Active, view: View): Promise<View> {
  const records = active.map(({ record }) => record);
  if (!records.some(hasAsked)) return view;
  const { items } = await line.app().store.questions.listPending();
  return { ...view, awaiting: findAwaiting(records, items) };
}

/** Lists are cut to the width of a terminal; in a pipe nothing is. */
export function listViewOf(line: CommandLine): View {
  const view = viewOf(line);
  return line.out.isTerminal ? view : { ...view, width: Number.POSITIVE_INFINITY };
}
