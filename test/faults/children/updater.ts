/* Writes one thing after the other, as fast as it gets its turn, and reports each acknowledged one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentXError } from '../../../src/protocol/errors.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import { configuration, endWithParent, LOCK_WAIT_MS, report } from '../support/in-child.js';
import { kinds } from '../support/kinds.js';
import { withoutLinks } from '../support/strange-file-systems.js';
import type { Refused, UpdaterConfig } from '../support/updater.js';

const config: UpdaterConfig = JSON.parse(configuration());
const { root, kind, name, count = Number.POSITIVE_INFINITY, sync = true, hasLinks = true, goesOn = false } = config;
endWithParent();
const { journalAfter } = config;
const store = openFileStore({
  root,
  agent: name,
  lockWaitMs: LOCK_WAIT_MS,
  sync,
  ...(journalAfter !== undefined && { journalAfter }),
  ...(!hasLinks && { fs: withoutLinks() }),
});
for (let number = 0; number < count; number++) {
  try {
    report({ acknowledged: await kinds[kind].add(store, `${name}-${number}`) });
  } catch (error) {
    if (!goesOn || !(error instanceof AgentXError)) throw error;
    report({ refused: error.code, message: error.message } satisfies Refused);
  }
  // Leaves the event loop, as a real program does, so that the end of the parent is noticed.
  await sleep(Math.random() * 2);
}
