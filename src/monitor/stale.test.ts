import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { active } from '../../test/builders/ports.js';
import type { ClarificationStatus } from '../protocol/clarification.js';
import { findStale } from './stale.js';

const BEFORE = '2026-02-26T10:29:59.999Z';
const EXACTLY = '2026-02-26T10:30:00.000Z';

describe('findStale', () => {
  it.each<[ClarificationStatus, string, boolean]>([
    ['pending', BEFORE, false],
    ['pending', EXACTLY, true],
    ['pending', '2026-02-26T12:30:00+02:00', true],
    ['pending', '2026-02-26T12:29:59+02:00', false],
    ['stale', BEFORE, true],
    ['answered', EXACTLY, false],
    ['escalated', EXACTLY, false],
  ])('of a %s record at %s says %s [US-5.1/2]', (status, now, isFound) => {
    expect(findStale(active(aClarification({ status })), now)).toHaveLength(isFound ? 1 : 0);
  });

  it('tells the first expiry from the second by the retries in the record', () => {
    const records = [
      aClarification({ id: 'CLR-42-001' }),
      aClarification({ id: 'CLR-42-002', retries: 0 }),
      aClarification({ id: 'CLR-42-003', retries: 1 }),
    ];
    expect(findStale(active(...records), EXACTLY).map(({ expiry }) => expiry)).toEqual(['first', 'first', 'second']);
  });
});
