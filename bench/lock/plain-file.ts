import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, ledgerFromText, ledgerToText, makeLedger } from '../ledger.js';
import type { Place, Reader } from './contender.js';

/** What the contenders that keep the ledger in one file have in common. */
export const ledgerPath = ({ folder }: Place): string => join(folder, 'ledger.json');

export function prepareFile(place: Place): void {
  writeFileSync(ledgerPath(place), ledgerToText(makeLedger()));
}

export function openFileReader(path: string): Reader {
  return { count: () => countOf(ledgerFromText(readFileSync(path, 'utf8'))) };
}
