import type { Run } from '../../src/protocol/run.js';

export function aRun(fields: Partial<Run> = {}): Run {
  return {
    id: 'run-42-1a2b3c4d',
    issueNumber: 42,
    workflow: 'feature',
    status: 'running',
    phase: 'planning',
    startedAt: '2026-02-26T10:00:00.000Z',
    updatedAt: '2026-02-26T10:00:00.000Z',
    waitingOn: [],
    journal: [],
    ...fields,
  };
}
