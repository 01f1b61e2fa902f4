import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import fsExt from 'fs-ext';
import { ledgerFromText, ledgerToText, touch } from '../../ledger.js';
import type { Contender } from '../contender.js';
import { ledgerPath, openFileReader, prepareFile } from '../plain-file.js';

/**
 * As fast as whole files can be replaced. The kernel queues the waiters and wakes the next one, and nothing is checked
 * twice. The folder is synced after the lock is free, as ours does. It would not do as a product: it blocks the
 * process, needs native code, and leaves no lock file for others to see.
 */
export const contender: Contender = {
  prepare: prepareFile,
  openReader: (place) => openFileReader(ledgerPath(place)),
  openWriter(place) {
    const path = ledgerPath(place);
    const temporary = `${path}.${process.pid}.tmp`;
    const lock = openSync(`${path}.flock`, 'a');
    const folder = openSync(place.folder, 'r');
    return {
      update() {
        fsExt.flockSync(lock, 'ex');
        try {
          const text = ledgerToText(touch(ledgerFromText(readFileSync(path, 'utf8'))));
          writeWhole(temporary, text, place.sync);
          renameSync(temporary, path);
        } finally {
          fsExt.flockSync(lock, 'un');
        }
        if (place.sync) fsyncSync(folder);
      },
      close() {
        closeSync(lock);
        closeSync(folder);
      },
    };
  },
};

function writeWhole(path: string, text: string, sync: boolean): void {
  const fd = openSync(path, 'w');
  try {
    writeSync(fd, text);
    if (sync) fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
