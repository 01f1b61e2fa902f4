import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createApp } from '../src/app/create-app.js';
import { layoutOf } from '../src/storage/files/layout.js';
import { acquireLockNow } from '../src/storage/files/lock.js';
import { openFileStore } from '../src/storage/files/store.js';
import { aLockOfOurs, deadProcess, putLock } from '../test/faults/support/lock-files.js';
import { ISSUE, ledgerToText, makeLedger, touch } from './ledger.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, type Target, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

/*
 * The times that the specification allows. They are generous, so each is held against the slowest of many tries, as a
 * share of what is allowed. The first try is thrown away: it compiles.
 */

const options = readOptions(process.argv.slice(2));
const tries = options.rounds * 40;
const folder = makeWorkFolder(diskFolder());

const reading = await slowest(async (number) => {
  const root = aLedger(`read-${number}`);
  return () => openFileStore({ root }).ledgers.read(ISSUE);
});
const writing = await slowest(async (number) => {
  const store = openFileStore({ root: aLedger(`write-${number}`) });
  return () => store.ledgers.update(ISSUE, (ledger) => ({ next: touch(ledger), result: undefined }));
});
const locking = await slowest(async (number) => {
  const file = join(folder, `free-${number}.json`);
  return async () => acquireLockNow(file, { agent: 'engineer' }).release();
});
const dead = deadProcess();
const judging = await slowest(async (number) => {
  const file = join(folder, `stale-${number}.json`);
  putLock(file, aLockOfOurs({ pid: dead }));
  return async () => acquireLockNow(file, { agent: 'engineer' }).release();
});
const checking = await slowest(async (number) => {
  const root = join(folder, `check-${number}`);
  for (let issue = 1; issue <= 10; issue++) writeLedger(root, issue);
  const app = createApp({ root, env: {} });
  return () => app.runCheck();
});

const targets: readonly Target[] = [
  target('reading a ledger, of 100 ms [US-1.1/12]', '<=', 1, reading / 100),
  target('writing a ledger, synced, of 100 ms [US-1.1/13]', '<=', 1, writing / 100),
  target('taking a free lock and releasing it, of 1000 ms [US-1.2/17]', '<=', 1, locking / 1000),
  target('judging a dead lock and taking it over, of 50 ms [US-1.2/19]', '<=', 1, judging / 50),
  target('a check over ten issues, of 500 ms [US-5.4/9]', '<=', 1, checking / 500),
];
const slowestOf = { reading, writing, locking, judging, checking };
const rows = Object.entries(slowestOf).map(([what, ms]) => [what, `${formatNumber(ms)} ms`]);
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'limits', machine: describeMachine(), options, tries, slowestOf, targets }, null, 2)
    : `${formatTable(['what', `slowest of ${tries}`], rows)}\n\n${formatTargets(targets)}`,
);

async function slowest(prepare: (number: number) => Promise<() => Promise<unknown>>): Promise<number> {
  let highest = 0;
  for (let number = 0; number <= tries; number++) {
    const work = await prepare(number);
    const began = performance.now();
    await work();
    if (number > 0) highest = Math.max(highest, performance.now() - began);
  }
  return highest;
}

function aLedger(name: string): string {
  const root = join(folder, name);
  writeLedger(root, ISSUE);
  return root;
}

function writeLedger(root: string, issue: number): void {
  const path = join(layoutOf(root).ledgers, `issue-${issue}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, ledgerToText(makeLedger(issue)));
}
