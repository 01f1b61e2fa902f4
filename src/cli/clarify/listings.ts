import type { ClarificationRecord } from '../../protocol/clarification.js';
import type { CommandLine } from '../command-line.js';

/** Every record that still waits for an answer. The check has already reported damaged ledgers. */
export async function listActive(line: CommandLine): Promise<readonly ClarificationRecord[]> {
  const { items } = await line.app().store.ledgers.listActive();
  return items.map(({ record }) => record);
}

/** Closed records too. */
export async function listAll(line: CommandLine): Promise<readonly ClarificationRecord[]> {
  const { items } = await line.app().store.ledgers.list();
  return items.flatMap(({ clarifications }) => clarifications);
}
