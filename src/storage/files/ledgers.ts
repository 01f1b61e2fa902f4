import { join } from 'node:path';
import type { ActiveClarification, LedgerStore } from '../../ports/store.js';
import { ClarificationLedger, emptyLedger, isActive } from '../../protocol/clarification.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';

/** `state/clarifications/issue-{N}.json` */
export function ledgerFiles(context: FilesContext, layout: Layout): LedgerStore {
  const ledgers = new JsonFolder<number, ClarificationLedger>(context, {
    folder: layout.ledgers,
    what: 'ledger',
    schema: ClarificationLedger,
    mode: 0o600,
    ...issueFileNames,
    keyIn: (ledger) => ledger.issueNumber,
    changedPart,
  });
  const active = ledgers.summaries({
    indexFile: join(layout.index, 'clarifications.json'),
    version: 3,
    of: activeIn,
    compare: ([left], [right]) => (left?.issueNumber ?? 0) - (right?.issueNumber ?? 0),
  });
  return {
    read: async (issueNumber) => (await ledgers.file(issueNumber).read()) ?? emptyLedger(issueNumber),
    update: (issueNumber, update) =>
      ledgers.update(issueNumber, (current) => update(current ?? emptyLedger(issueNumber))),
    async listActive(how) {
      const { summaries, damaged } = active(how);
      return { items: summaries.flat(), damaged };
    },
    async list() {
      const { items, damaged } = ledgers.list();
      const used = items.filter(({ clarifications }) => clarifications.length > 0);
      return { items: used.toSorted((a, b) => a.issueNumber - b.issueNumber), damaged };
    },
  };
}

function activeIn({ issueNumber, clarifications }: ClarificationLedger): readonly ActiveClarification[] | null {
  const active = clarifications.filter(isActive).map((record) => ({ issueNumber, record }));
  return active.length > 0 ? active : null;
}

/**
 * Checking a long ledger whole takes longer than writing it. Records, and what was said in them, that are the very objects
 * that were checked before need no second look, as long as the new ones are checked beside the ids of all.
 */
function changedPart(next: ClarificationLedger, before: ClarificationLedger): ClarificationLedger {
  const checked = new Set(before.clarifications);
  const changed = next.clarifications.filter((record) => !checked.has(record));
  const changedIds = new Set(changed.map(({ id }) => id));
  const clashing = next.clarifications.filter((record) => checked.has(record) && changedIds.has(record.id));
  const said = new Set(before.clarifications.flatMap(({ id, thread }) => (changedIds.has(id) ? thread : [])));
  const news = changed.map((record) => ({ ...record, thread: record.thread.filter((entry) => !said.has(entry)) }));
  return { ...next, clarifications: [...news, ...clashing] };
}
