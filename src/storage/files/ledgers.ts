import type { LedgerStore, ListedClarification } from '../../ports/store.js';
import {
  ClarificationLedger,
  type ClarificationRecord,
  emptyLedger,
  isActive,
  isOfIssue,
  isUnfinished,
  LedgerFields,
} from '../../protocol/clarification.js';
import type { AgentXError } from '../../protocol/errors.js';
import { pageOf, positionOf } from '../../protocol/page.js';
import { changeFits } from './change-fits.js';
import type { FilesContext } from './files-context.js';
import { JsonFolder, readEach } from './json-folder.js';
import { issueFileNames } from './layout.js';

/** `state/clarifications/issue-{N}.json` */
export function ledgerFiles(context: FilesContext): LedgerStore {
  const ledgers = new JsonFolder<number, ClarificationLedger>(context, {
    folder: context.layout.ledgers,
    what: 'ledger',
    schema: ClarificationLedger,
    ...issueFileNames,
    changeFits: ledgerFits,
  });
  const unfinished = ledgers.summaries({
    index: 'clarifications',
    version: 6,
    of: unfinishedIn,
    compare: ([left], [right]) => (left?.issueNumber ?? 0) - (right?.issueNumber ?? 0),
  });
  return {
    ...ledgers.orEmpty(emptyLedger),
    async list({ active: isActiveOnly = false, unfinished: isUnfinishedOnly = false, ...paging } = {}) {
      const { after = '0', limit } = paging;
      const position = ({ record }: ListedClarification) => positionOf.clarification(record);
      if (isActiveOnly || isUnfinishedOnly) {
        const { items, damaged } = unfinished();
        const matching = items.flat().filter(({ record }) => !isActiveOnly || isActive(record));
        return { ...pageOf(matching, paging, position), damaged: paging.after === undefined ? damaged : [] };
      }
      const items: ListedClarification[] = [];
      const damaged: AgentXError[] = [];
      // A position begins with the number of the issue.
      const keys = ledgers.keys().filter((key) => key >= Number.parseInt(after, 10));
      for (const key of keys.toSorted((a, b) => a - b)) {
        // Ledgers that no page shows are not opened; one more item than fits shows that there is a next page.
        if (limit !== undefined && items.length > limit) break;
        const listing = readEach([key], () => ledgers.file(key).readNow());
        damaged.push(...listing.damaged);
        items.push(...listing.items.flatMap(recordsIn).filter((one) => position(one) > after));
      }
      return { ...pageOf(items, { limit }, position), damaged };
    },
  };
}

function unfinishedIn(ledger: ClarificationLedger): readonly ListedClarification[] | null {
  const unfinished = recordsIn(ledger).filter(({ record }) => isUnfinished(record));
  return unfinished.length > 0 ? unfinished : null;
}

function recordsIn({ issueNumber, clarifications }: ClarificationLedger): readonly ListedClarification[] {
  return clarifications.map((record) => ({ issueNumber, record }));
}

/** The schema of a ledger also checks all ids together; if the others are unchanged, only new ones can be wrong. */
function ledgerFits(next: ClarificationLedger, before: ClarificationLedger): boolean {
  const isFine = ({ id }: ClarificationRecord, index: number): boolean => {
    if (index < before.clarifications.length) return id === before.clarifications[index]?.id;
    return isOfIssue(id, next.issueNumber) && next.clarifications.findIndex((other) => other.id === id) === index;
  };
  return changeFits(LedgerFields, next, before) && next.clarifications.every(isFine);
}
