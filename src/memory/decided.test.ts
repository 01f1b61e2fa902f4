import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { clarificationObservation } from './decided.js';

describe('the observation of a resolved clarification', () => {
  it('names its topic once, also where a human decided in a word', () => {
    const record = aClarification({
      topic: 'Database',
      status: 'resolved',
      resolvedAt: AT,
      thread: [
        { round: 1, from: 'engineer', type: 'question', body: 'Which one?', timestamp: AT },
        { round: 1, from: 'architect', type: 'escalation', body: 'It costs money.', timestamp: AT },
        { round: 1, from: 'human', type: 'resolution', body: 'MySQL.', timestamp: AT },
      ],
    });
    expect(clarificationObservation(record)?.summary).toBe('Database: MySQL.');
  });
});
