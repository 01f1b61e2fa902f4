import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Child, startChild, startProgram } from './children.js';
import type { Acknowledged } from './updater.js';

/** The input of a participant that knows only the open contract. */
export interface LiteralConfig {
  readonly ledger: string;
  readonly issueNumber: number;
  readonly name: string;
  readonly count: number;
  readonly staleSeconds?: number;
  readonly tries?: number;
  /** Keeps the lock until this file exists. */
  readonly holdUntil?: string;
  readonly writeSeconds?: number;
}

/** Node takes its part everywhere, Python where it is installed. */
export const literalLanguages: readonly ('Python' | 'Node')[] =
  spawnSync('python3', ['--version']).status === 0 ? ['Python', 'Node'] : ['Node'];

export function startLiteral(language: 'Python' | 'Node', config: LiteralConfig): Child<Acknowledged> {
  if (language === 'Node') return startChild('literal-participant', config);
  return startProgram('python3', [join(import.meta.dirname, '../literal-participant.py'), JSON.stringify(config)]);
}
