/* Writes one thing after the other, as fast as it gets its turn, and reports each that was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openFileStore } from '../../../src/storage/files/store.js';
import { configuration, endWithParent, report } from '../support/in-child.js';
import { kinds } from '../support/kinds.js';
import { withoutLinks } from '../support/strange-file-systems.js';
import type { UpdaterConfig } from '../support/updater.js';

const config: UpdaterConfig = JSON.parse(configuration());
const { root, kind, name, count = Number.POSITIVE_INFINITY, sync = true, hasLinks = true } = config;
endWithParent();
const store = openFileStore({ root, agent: name, sync, ...(!hasLinks && { fs: withoutLinks() }) });
for (let number = 0; number < count; number++) {
  const acknowledged = await kinds[kind].add(store, `${name}-${number}`);
  report({ acknowledged });
  // Leaves the event loop, as a real program does, so that the end of the parent is noticed.
  await sleep(Math.random() * 2);
}
