/* Reads one ledger again and again until it is told to stop, and reports what it saw. */
import { setImmediate as breathe } from 'node:timers/promises';
import { AgentXError } from '../../../src/protocol/errors.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import { configuration, onCommand, report } from '../support/in-child.js';
import type { ReaderConfig } from '../support/reader.js';

const { root }: ReaderConfig = JSON.parse(configuration());
const store = openFileStore({ root });
const refusals: string[] = [];
let reads = 0;
let isShrinking = false;
let isStopped = false;

onCommand(() => {
  isStopped = true;
});
report({ ready: true });
for (let before = 0; !isStopped; ) {
  try {
    const { length } = (await store.ledgers.read(42)).clarifications;
    isShrinking ||= length < before;
    before = length;
    reads++;
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    refusals.push(error.message);
  }
  await breathe();
}
report({ reads, refusals, isShrinking });
process.exit(0);
