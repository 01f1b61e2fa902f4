/* Fills the small disk that it was given, tries to write, makes room again, and reports the result of each attempt. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AgentXError } from '../../../src/protocol/errors.js';
import { errorCode, type FileSystem, realFileSystem } from '../../../src/storage/files/file-system.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import { until } from '../../support/until.js';
import type { FullDiskConfig, FullDiskReport } from '../support/full-disk.js';
import { configuration, endWithParent, report } from '../support/in-child.js';
import { kinds } from '../support/kinds.js';
import { litterIn } from '../support/litter.js';
import { ledgerPath } from '../support/paths.js';

const PAGE = 4096;
/** More than the small disk has. */
const MANY_PAGES = 16_384;
const { folder }: FullDiskConfig = JSON.parse(configuration());
const root = join(folder, '.agentx');
const filler = join(folder, 'filler');
/** A replaced file is closed in the thread pool: until then its space is taken, and its disk is in use. */
let beingLetGo = 0;
const close: FileSystem['close'] = Object.assign(
  (fd: number, done: (error: NodeJS.ErrnoException | null) => void = () => {}) => {
    beingLetGo++;
    realFileSystem.close(fd, (error) => {
      beingLetGo--;
      done(error);
    });
  },
  { __promisify__: realFileSystem.close.__promisify__ },
);
const fs: FileSystem = { ...realFileSystem, close };
const store = openFileStore({ root, fs });

endWithParent();
for (let number = 0; number < 20; number++) await kinds.clarification.add(store, `earlier-${number}`);
for (let freePages = 0, isRefused = true; isRefused && freePages < MANY_PAGES; freePages++) {
  await until(() => beingLetGo === 0);
  fillAllBut(freePages);
  isRefused = (await attempt(freePages)) === 'refused';
  rmSync(filler);
}
await attempt('enough');
await until(() => beingLetGo === 0);
execFileSync('mount', ['-o', 'remount,ro', folder]);
await attempt('read-only');

async function attempt(freePages: FullDiskReport['freePages']): Promise<'refused' | 'done'> {
  const before = readFileSync(ledgerPath(root));
  const refusal = await openingAnew();
  const isIntact = before.equals(readFileSync(ledgerPath(root)));
  const readable = (await kinds.clarification.present(openFileStore({ root }))).length;
  report({ freePages, ...refusal, isIntact, litter: litterIn(root), readable } satisfies FullDiskReport);
  return refusal ? 'refused' : 'done';
}

async function openingAnew(): Promise<Pick<FullDiskReport, 'refused' | 'message'> | undefined> {
  try {
    await kinds.clarification.add(openFileStore({ root, fs }), `try-${Math.random()}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    return { refused: error.code, message: error.message };
  }
}

function fillAllBut(pages: number): void {
  const fd = openSync(filler, 'w');
  let written = 0;
  try {
    for (let page = 0; page < MANY_PAGES; page++) written += writeSync(fd, Buffer.alloc(PAGE));
    throw new Error(`The disk takes ${MANY_PAGES} pages: it is not the small one.`);
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
  }
  closeSync(fd);
  truncateSync(filler, Math.max(0, written - pages * PAGE));
}
