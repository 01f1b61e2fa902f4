import type { ClarificationLedger, ClarificationRecord } from '../../src/protocol/clarification.js';

export const AT = '2026-02-26T10:00:00.000Z';

/** A blocking question from the engineer to the architect, asked at ten, stale at half past. */
export function aClarification(fields: Partial<ClarificationRecord> = {}): ClarificationRecord {
  return {
    id: 'CLR-42-001',
    from: 'engineer',
    to: 'architect',
    topic: 'Which database adapter',
    blocking: true,
    status: 'pending',
    round: 1,
    maxRounds: 5,
    created: AT,
    staleAfter: '2026-02-26T10:30:00.000Z',
    resolvedAt: null,
    thread: [{ round: 1, from: 'engineer', type: 'question', body: 'SQLite or PostgreSQL?', timestamp: AT }],
    ...fields,
  };
}

export function aLedger(fields: Partial<ClarificationLedger> = {}): ClarificationLedger {
  return { issueNumber: 42, clarifications: [aClarification()], ...fields };
}
