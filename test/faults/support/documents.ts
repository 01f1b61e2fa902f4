import { join } from 'node:path';
import type { Listing, Store } from '../../../src/ports/store.js';
import { emptyLedger } from '../../../src/protocol/clarification.js';
import { anAssumption } from '../../builders/assumption.js';
import { AT, aClarification } from '../../builders/clarification.js';
import { anIssue } from '../../builders/issue.js';
import { aQuestion } from '../../builders/question.js';
import { aRun } from '../../builders/run.js';

/** One kind of document, its file and what can be done with it. Its neighbour is another of its kind. */
export interface Document {
  readonly name: string;
  readonly file: string;
  readonly content: object;
  /** The content of the neighbour: under this document's name it is out of place. */
  readonly neighbour?: object;
  /** A content in which a unique element occurs twice. */
  readonly doubled?: object;
  readonly write: (store: Store) => Promise<unknown>;
  readonly read: (store: Store) => Promise<unknown>;
  readonly update: (store: Store) => Promise<unknown>;
  readonly list?: (store: Store) => Promise<Listing<unknown>>;
}

const idle = { status: 'idle', clarificationId: null, waitingOn: null, respondingTo: null } as const;
const neighbourRun = aRun({ id: 'run-7', issueNumber: 7 });
const neighbourRecord = aClarification({ id: 'CLR-7-001' });
const neighbourAssumption = anAssumption({ id: 'ASM-7-001', issueNumber: 7 });

export const documents: readonly Document[] = [
  {
    name: 'a ledger',
    file: 'state/clarifications/issue-42.json',
    content: { issueNumber: 42, clarifications: [aClarification()] },
    neighbour: { issueNumber: 7, clarifications: [neighbourRecord] },
    doubled: { issueNumber: 42, clarifications: [aClarification(), aClarification()] },
    write: (store) =>
      store.ledgers.update(7, () => ({ next: { ...emptyLedger(7), clarifications: [neighbourRecord] }, result: 0 })),
    read: (store) => store.ledgers.read(42),
    update: (store) => store.ledgers.update(42, (ledger) => ({ next: { ...ledger, clarifications: [] }, result: 0 })),
    list: (store) => store.ledgers.list({ active: true }),
  },
  {
    name: 'a question',
    file: 'state/questions/oq-bad.json',
    content: aQuestion({ id: 'oq-bad' }),
    neighbour: aQuestion({ id: 'oq-good' }),
    write: (store) => store.questions.create(aQuestion({ id: 'oq-good' })),
    read: (store) => store.questions.read('oq-bad'),
    update: (store) => store.questions.update('oq-bad', (asked) => ({ next: { ...asked, revision: 2 }, result: 0 })),
    list: (store) => store.questions.list({ status: 'open' }),
  },
  {
    name: 'an issue',
    file: 'issues/42.json',
    content: anIssue(),
    neighbour: anIssue({ number: 1 }),
    write: (store) => store.issues.create(anIssue()),
    read: (store) => store.issues.read(42),
    update: (store) => store.issues.update(42, (issue) => ({ next: { ...issue, title: 'Changed' }, result: 0 })),
    list: (store) => store.issues.list(),
  },
  {
    name: 'a list of assumptions',
    file: 'state/assumptions/issue-42.json',
    content: { issueNumber: 42, assumptions_made: [anAssumption()] },
    neighbour: { issueNumber: 7, assumptions_made: [neighbourAssumption] },
    doubled: { issueNumber: 42, assumptions_made: [anAssumption(), anAssumption()] },
    write: (store) =>
      store.assumptions.update(7, (file) => ({
        next: { ...file, assumptions_made: [neighbourAssumption] },
        result: 0,
      })),
    read: (store) => store.assumptions.read(42),
    update: (store) => store.assumptions.update(42, (file) => ({ next: { ...file, assumptions_made: [] }, result: 0 })),
    list: (store) => store.assumptions.list(),
  },
  {
    name: 'a run',
    file: 'state/runs/issue-42.json',
    content: aRun(),
    neighbour: neighbourRun,
    write: (store) => store.runs.update(7, () => ({ next: neighbourRun, result: 0 })),
    read: (store) => store.runs.read(42),
    update: (store) => store.runs.update(42, () => ({ next: aRun({ workflow: 'changed' }), result: 0 })),
    list: (store) => store.runs.list(),
  },
  {
    name: 'the status file',
    file: 'state/agent-status.json',
    content: { engineer: { ...idle, issue: null, lastActivity: AT } },
    write: async () => {},
    read: (store) => store.statuses.read(),
    update: (store) =>
      store.statuses.update(['engineer'], () => ({
        next: { engineer: { ...idle, issue: 7, lastActivity: AT } },
        result: 0,
      })),
  },
];

export const pathOf = (root: string, document: Document): string => join(root, document.file);
