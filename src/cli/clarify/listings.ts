import type { ClarificationRecord } from '../../protocol/clarification.js';
import { AgentXError } from '../../protocol/errors.js';
import type { CommandLine } from '../command-line.js';

/** Every record that still waits for somebody. Damaged ledgers were told of by the check. */
export async function listActive(line: CommandLine): Promise<readonly ClarificationRecord[]> {
  const { items } = await line.app().store.ledgers.listActive();
  return items.map(({ record }) => record);
}

/** The closed ones too, of every issue that is known here and of issue 0. */
export async function listAll(line: CommandLine): Promise<readonly ClarificationRecord[]> {
  const { store } = line.app();
  const [issues, active, runs] = await Promise.all([
    store.issues.list(),
    store.ledgers.listActive(),
    store.runs.list(),
  ]);
  const known = [
    ...issues.items.map(({ number }) => number),
    ...[...active.items, ...runs.items].map(({ issueNumber }) => issueNumber),
  ];
  const numbers = [...new Set([0, ...known])].toSorted((left, right) => left - right);
  const records: ClarificationRecord[] = [];
  for (const number of numbers) records.push(...(await readOrNothing(line, number)));
  return records;
}

async function readOrNothing(line: CommandLine, issueNumber: number): Promise<readonly ClarificationRecord[]> {
  try {
    return (await line.app().store.ledgers.read(issueNumber)).clarifications;
  } catch (error) {
    // The check has warned of it already.
    if (error instanceof AgentXError && error.code === 'CORRUPT_FILE') return [];
    throw error;
  }
}
