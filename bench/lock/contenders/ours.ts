import { layoutOf } from '../../../src/storage/files/layout.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import { ISSUE, makeLedger, touch } from '../../ledger.js';
import type { Contender } from '../contender.js';
import { openFileReader } from '../plain-file.js';

/** The file store as the product opens it, schema check included. */
export const contender: Contender = {
  async prepare({ folder, sync }) {
    await openFileStore({ root: folder, sync }).ledgers.update(ISSUE, () => ({
      next: makeLedger(),
      result: undefined,
    }));
  },
  openWriter({ folder, sync }) {
    const { ledgers } = openFileStore({ root: folder, sync, agent: 'bench' });
    return { update: () => ledgers.update(ISSUE, (ledger) => ({ next: touch(ledger), result: undefined })) };
  },
  openReader: ({ folder }) => openFileReader(`${layoutOf(folder).ledgers}/issue-${ISSUE}.json`),
};
