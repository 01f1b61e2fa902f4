import type { ClarificationRecord } from '../../protocol/clarification.js';
import type { CommandLine } from '../command-line.js';

/** Every record that still waits for somebody. Damaged ledgers were told of by the check. */
export async function listActive(line: CommandLine): Promise<readonly ClarificationRecord[]> {
  const { items } = await line.app().store.ledgers.listActive();
  return items.map(({ record }) => record);
}

/** The closed ones too. */
export async function listAll(line: CommandLine): Promise<readonly ClarificationRecord[]> {
  const { items } = await line.app().store.ledgers.list();
  return items.flatMap(({ clarifications }) => clarifications);
}
