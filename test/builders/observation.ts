import type { Observation } from '../../src/protocol/observation.js';

export function anObservation(fields: Partial<Observation> = {}): Observation {
  return {
    id: 'obs-engineer-42-1772100000000-a1b2c3',
    agent: 'engineer',
    issueNumber: 42,
    category: 'decision',
    content: 'Chose the repository pattern with one adapter per database.',
    summary: 'Chose the repository pattern',
    tokens: 14,
    timestamp: '2026-02-26T10:00:00.000Z',
    sessionId: 'engineer-1772100000000-x7y8z9',
    ...fields,
  };
}
