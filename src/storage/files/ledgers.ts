import { join } from 'node:path';
import type { LedgerStore } from '../../ports/store.js';
import { ClarificationLedger, emptyLedger, isActive } from '../../protocol/clarification.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';

/** `state/clarifications/issue-{N}.json` */
export function ledgerFiles(context: FilesContext, layout: Layout): LedgerStore {
  const ledgers = new JsonFolder<number, ClarificationLedger, boolean>(context, {
    folder: layout.ledgers,
    indexFile: join(layout.index, 'clarifications.json'),
    what: 'ledger',
    schema: ClarificationLedger,
    mode: 0o600,
    ...issueFileNames,
    keyIn: (ledger) => ledger.issueNumber,
    changedPart,
    summary: { version: 1, of: (ledger) => ledger.clarifications.some(isActive) },
  });
  return {
    read: async (issueNumber) => (await ledgers.file(issueNumber).read()) ?? emptyLedger(issueNumber),
    update: (issueNumber, update) =>
      ledgers.file(issueNumber).update((current) => update(current ?? emptyLedger(issueNumber))),
    async listActive() {
      const { items, damaged } = ledgers.list((hasActive) => hasActive);
      const byIssue = items.toSorted((a, b) => a.issueNumber - b.issueNumber);
      const active = byIssue.flatMap(({ issueNumber, clarifications }) =>
        clarifications.filter(isActive).map((record) => ({ issueNumber, record })),
      );
      return { items: active, damaged };
    },
  };
}

/**
 * Checking a long ledger whole takes longer than writing it. Records that are the very objects that were checked before
 * need no second look, as long as the new ones are checked beside the ids of all.
 */
function changedPart(next: ClarificationLedger, before: ClarificationLedger): ClarificationLedger {
  const checked = new Set(before.clarifications);
  const changed = next.clarifications.filter((record) => !checked.has(record));
  const changedIds = new Set(changed.map(({ id }) => id));
  const clashing = next.clarifications.filter((record) => checked.has(record) && changedIds.has(record.id));
  return { ...next, clarifications: [...changed, ...clashing] };
}
