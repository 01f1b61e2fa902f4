import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layoutOf } from '../../src/storage/files/layout.js';
import { ledgerToText, makeLedger } from '../ledger.js';

const RECORDS = 3;

export interface Ledgers {
  readonly root: string;
  readonly folder: string;
  readonly indexFolder: string;
  readonly count: number;
  /** Records that a listing must find. */
  readonly active: number;
}

/** One in a hundred is active, and at least one. */
export function writeLedgers(root: string, count: number): Ledgers {
  const { ledgers: folder, index: indexFolder } = layoutOf(root);
  mkdirSync(folder, { recursive: true });
  const every = Math.min(100, count);
  for (let issue = 1; issue <= count; issue++) {
    const text = ledgerToText(makeLedger(issue, RECORDS, issue % every === 0));
    writeFileSync(join(folder, `issue-${issue}.json`), text);
  }
  return { root, folder, indexFolder, count, active: (count / every) * RECORDS };
}
