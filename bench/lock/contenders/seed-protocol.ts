import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerFromText, ledgerToText, touch } from '../../ledger.js';
import type { Contender } from '../contender.js';
import { ledgerPath, openFileReader, prepareFile } from '../plain-file.js';

const TRIES = 5;
const FIRST_WAIT_MS = 200;
const STALE_AFTER_MS = 30_000;

/** The lock as the seeds describe it, word for word: exclusive create, five tries, stale after 30 s, write in place. */
export const contender: Contender = {
  prepare: prepareFile,
  openReader: (place) => openFileReader(ledgerPath(place)),
  openWriter(place) {
    const path = ledgerPath(place);
    return {
      async update() {
        await lock(`${path}.lock`);
        try {
          const ledger = touch(ledgerFromText(readFileSync(path, 'utf8')));
          writeInPlace(path, ledgerToText(ledger), place.sync);
        } finally {
          rmSync(`${path}.lock`, { force: true });
        }
      },
    };
  },
};

async function lock(path: string): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (create(path)) return;
    breakIfStale(path);
    if (attempt < TRIES - 1) await sleep(FIRST_WAIT_MS * 2 ** attempt);
  }
  throw Object.assign(new Error(`${path} is held.`), { code: 'LOCK_TIMEOUT' });
}

function create(path: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'wx');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  writeSync(fd, JSON.stringify({ pid: process.pid, timestamp: new Date().toISOString(), agent: 'bench' }));
  closeSync(fd);
  return true;
}

function breakIfStale(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat && Date.now() - stat.mtimeMs > STALE_AFTER_MS) rmSync(path, { force: true });
}

function writeInPlace(path: string, text: string, sync: boolean): void {
  const fd = openSync(path, 'w');
  try {
    writeSync(fd, text);
    if (sync) fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
