/* Takes a lock again and again and stays a while in work that only one process may do at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { JsonFileLock } from '../../../src/storage/files/json-file-lock.js';
import { enterAlone } from '../support/critical-section.js';
import type { HolderConfig } from '../support/holder.js';
import { configuration, endWithParent, LOCK_WAIT_MS, onCommand, report } from '../support/in-child.js';
import { withoutLinks } from '../support/strange-file-systems.js';

const config: HolderConfig = JSON.parse(configuration());
const { file, name, stayMs, isExact = false, hasLinks = true } = config;
const { forMs = Number.POSITIVE_INFINITY, turns = Number.POSITIVE_INFINITY } = config;
const lock = new JsonFileLock({
  waitMs: config.waitMs ?? LOCK_WAIT_MS,
  staleAfterMs: config.staleAfterMs,
  ...(!hasLinks && { fs: withoutLinks() }),
});

if (config.waitsForSignal) onCommand(() => void work().then(() => process.exit(0)));
else endWithParent();
report({ event: 'ready' });
if (!config.waitsForSignal) await work();

async function work(): Promise<void> {
  const started = performance.now();
  for (let turn = 0; turn < turns && performance.now() - started < forMs; turn++) {
    await lock.withLock(file, name, () =>
      enterAlone(`${file}.inside`, () => {
        report({ event: 'inside' });
        return sleep(isExact ? stayMs : Math.random() * stayMs);
      }),
    );
    report({ event: 'left' });
  }
}
