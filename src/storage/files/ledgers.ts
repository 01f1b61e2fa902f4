import { join } from 'node:path';
import type { ActiveClarification, LedgerStore } from '../../ports/store.js';
import {
  ClarificationLedger,
  type ClarificationRecord,
  emptyLedger,
  isActive,
  isOfIssue,
  LedgerFields,
} from '../../protocol/clarification.js';
import { changeFits } from './change-fits.js';
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
    changeFits: ledgerFits,
  });
  const active = ledgers.summaries({
    indexFile: join(layout.index, 'clarifications.json'),
    version: 4,
    of: activeIn,
    compare: ([left], [right]) => (left?.issueNumber ?? 0) - (right?.issueNumber ?? 0),
  });
  return {
    read: async (issueNumber) => (await ledgers.file(issueNumber).read()) ?? emptyLedger(issueNumber),
    update: (issueNumber, update) =>
      ledgers.update(issueNumber, (current) => update(current ?? emptyLedger(issueNumber))),
    async listActive() {
      const { summaries, damaged } = active();
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

/** The schema of a ledger also looks at all ids together; where the others are as they were, only new ones can be wrong. */
function ledgerFits(next: ClarificationLedger, before: ClarificationLedger): boolean {
  const isFine = ({ id }: ClarificationRecord, index: number): boolean => {
    if (index < before.clarifications.length) return id === before.clarifications[index]?.id;
    return isOfIssue(id, next.issueNumber) && next.clarifications.findIndex((other) => other.id === id) === index;
  };
  return changeFits(LedgerFields, next, before) && next.clarifications.every(isFine);
}
