import { join } from 'node:path';
import type { ActiveClarification, LedgerStore } from '../../ports/store.js';
import { ClarificationLedger, emptyLedger, isActive } from '../../protocol/clarification.js';
import { ChangeLog } from './change-log.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import { LastLook } from './last-look.js';
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
  const active = ledgers.summaries(join(layout.index, 'clarifications.json'), { version: 2, of: activeIn });
  const changes = new ChangeLog(context.fs, join(layout.index, 'clarifications.changes'));
  const lastLook = new LastLook(changes, (issueNumber) => {
    const ledger = ledgers.file(issueNumber).readNow();
    return ledger === undefined ? null : activeIn(ledger);
  });
  return {
    read: async (issueNumber) => (await ledgers.file(issueNumber).read()) ?? emptyLedger(issueNumber),
    async update(issueNumber, update) {
      const result = await ledgers.file(issueNumber).update((current) => update(current ?? emptyLedger(issueNumber)));
      changes.note(String(issueNumber));
      return result;
    },
    async listActive({ isQuick = false } = {}) {
      const known = isQuick ? lastLook.active() : undefined;
      if (known !== undefined) return { items: sorted(known), damaged: [] };
      const mark = changes.mark();
      const { summaries, damaged } = active();
      lastLook.remember(mark, damaged.length === 0 ? summaries : undefined);
      return { items: sorted(summaries), damaged };
    },
    async list() {
      const { items, damaged } = ledgers.list();
      const used = items.filter(({ clarifications }) => clarifications.length > 0);
      return { items: used.toSorted((a, b) => a.issueNumber - b.issueNumber), damaged };
    },
  };
}

function sorted(summaries: Iterable<readonly ActiveClarification[]>): readonly ActiveClarification[] {
  return [...summaries].flat().toSorted((a, b) => a.issueNumber - b.issueNumber);
}

function activeIn({ issueNumber, clarifications }: ClarificationLedger): readonly ActiveClarification[] | null {
  const active = clarifications.filter(isActive).map((record) => ({ issueNumber, record }));
  return active.length > 0 ? active : null;
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
