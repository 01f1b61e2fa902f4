import { describe, expect, it } from 'vitest';
import { openHanded } from './people.js';

describe('a question that is handed to a person at once', () => {
  it('is escalated when it is asked, and not before', () => {
    const request = {
      id: 'CLR-42-001',
      from: 'engineer',
      to: 'architect',
      topic: 'Adapters',
      question: 'One or two?',
      blocking: true,
      maxRounds: 5,
      slaMinutes: 30,
      at: '2026-02-26T10:00:02.000Z',
    };
    const reason = 'architect is a person';
    const before = '2026-02-26T10:00:00.000Z';
    const { record } = openHanded(request, [{ type: 'escalate', at: before, reason, targetIsHuman: true }]);
    expect(record.thread.map(({ type, timestamp }) => [type, timestamp])).toEqual([
      ['question', request.at],
      ['escalation', request.at],
    ]);
  });
});
