/* For each named file, waits for its lock, enters, and reports when it is out again. */

import { setTimeout as sleep } from 'node:timers/promises';
import { JsonFileLock } from '../../../src/storage/files/json-file-lock.js';
import { enterAlone } from '../support/critical-section.js';
import type { RacerConfig } from '../support/holder.js';
import { configuration, LOCK_WAIT_MS, onCommand, report } from '../support/in-child.js';

const { name }: RacerConfig = JSON.parse(configuration());
const lock = new JsonFileLock({ waitMs: LOCK_WAIT_MS });

onCommand((file) => void race(file));
report({ file: '' });

async function race(file: string): Promise<void> {
  await lock.withLock(file, name, () => enterAlone(`${file}.inside`, () => sleep(Math.random())));
  report({ file });
}
