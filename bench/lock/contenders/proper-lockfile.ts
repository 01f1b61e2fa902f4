import { readFile } from 'node:fs/promises';
import lockfile from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import { ledgerFromText, ledgerToText, touch } from '../../ledger.js';
import type { Contender } from '../contender.js';
import { ledgerPath, openFileReader, prepareFile } from '../plain-file.js';

/**
 * By default proper-lockfile gives up at once; with this setting it tries for half a minute. Of five settings this one
 * had the most updates at 8 processes. Tries of 1 to 10 ms had a third fewer updates and a p99 shorter by as much.
 * Tries of up to 100 ms had more updates at 32 processes, and twice the p99 at 8.
 */
const RETRIES = {
  retries: 12,
  forever: true,
  factor: 1.5,
  minTimeout: 5,
  maxTimeout: 30,
  randomize: true,
  maxRetryTime: 30_000,
};

export const contender: Contender = {
  prepare: prepareFile,
  openReader: (place) => openFileReader(ledgerPath(place)),
  openWriter(place) {
    const path = ledgerPath(place);
    return {
      async update() {
        const release = await lockfile.lock(path, { retries: RETRIES });
        try {
          const ledger = ledgerFromText(await readFile(path, 'utf8'));
          await writeFileAtomic(path, ledgerToText(touch(ledger)), { fsync: place.sync });
        } finally {
          await release();
        }
      },
    };
  },
};
