import type { ClarificationLedger, ClarificationRecord, ThreadEntry } from '../src/protocol/clarification.js';

export const ISSUE = 42;
const RECORDS = 18;

/** About 20 KB as it lies on the disk. `lastSequence` counts the updates. */
export function makeLedger(issueNumber = ISSUE, records = RECORDS, isActive = true): ClarificationLedger {
  const clarifications = Array.from({ length: records }, (_, index) => makeRecord(issueNumber, index + 1, isActive));
  return { issueNumber, clarifications, lastSequence: 0 };
}

/** The work of one update, the same for all contenders: counts it and writes a new answer of the same length. */
export function touch(ledger: ClarificationLedger): ClarificationLedger {
  const count = (ledger.lastSequence ?? 0) + 1;
  const changedPlace = count % ledger.clarifications.length;
  const clarifications = ledger.clarifications.map((record, index) =>
    index === changedPlace ? { ...record, thread: [...record.thread.slice(0, -1), answer(count)] } : record,
  );
  return { ...ledger, clarifications, lastSequence: count };
}

export const ledgerToText = (ledger: ClarificationLedger): string => `${JSON.stringify(ledger, null, 2)}\n`;

/** Unchecked, as the measured peers read it. */
export const ledgerFromText = (text: string): ClarificationLedger => JSON.parse(text);

export const countOf = (ledger: ClarificationLedger): number => ledger.lastSequence ?? 0;

function makeRecord(issueNumber: number, sequence: number, isActive: boolean): ClarificationRecord {
  const at = '2026-02-26T10:00:00Z';
  return {
    id: `CLR-${issueNumber}-${String(sequence).padStart(3, '0')}`,
    from: 'engineer',
    to: 'architect',
    topic: `Which of the two retry rules holds for import number ${sequence}?`,
    blocking: true,
    status: isActive ? 'answered' : 'resolved',
    round: 1,
    maxRounds: 5,
    created: at,
    staleAfter: '2026-02-26T10:30:00Z',
    resolvedAt: isActive ? null : at,
    slaMinutes: 30,
    retries: 0,
    thread: [{ round: 1, from: 'engineer', type: 'question', body: QUESTION, timestamp: at }, answer(sequence)],
  };
}

const QUESTION =
  'The acceptance criteria ask for five attempts, the architecture page says that failures are reported at once. ' +
  'Both cannot hold for an import that fails half way: should the part that was read be kept?';

function answer(count: number): ThreadEntry {
  const body = `Keep what was read and report at once; the five attempts are for the network. (${String(count).padStart(12, '0')})`;
  return { round: 1, from: 'architect', type: 'answer', body, timestamp: '2026-02-26T10:04:00Z' };
}
