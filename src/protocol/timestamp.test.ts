import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { refusalOf } from '../../test/builders/refusal.js';
import { addMinutes, isBefore, Timestamp, toEpochMs } from './timestamp.js';

it('takes Z and offsets, with and without fractions', () => {
  for (const text of ['2026-02-26T10:00:00Z', '2026-02-26T10:00:00.123Z', '2026-02-26T12:00:00+02:00']) {
    expect(z.safeParse(Timestamp, text).success).toBe(true);
  }
});

it('refuses what is no instant', () => {
  for (const text of ['', 'now', '2026-02-26', '2026-02-30T10:00:00Z', '2026-02-26T10:00:00', '1709035200000']) {
    expect(z.safeParse(Timestamp, text).success).toBe(false);
    expect(refusalOf(() => toEpochMs(text)).code).toBe('INVALID_INPUT');
  }
});

it('compares instants, not spellings', () => {
  expect(isBefore('2026-02-26T11:59:00+02:00', '2026-02-26T10:00:00Z')).toBe(true);
  expect(isBefore('2026-02-26T12:00:00+02:00', '2026-02-26T10:00:00Z')).toBe(false);
});

it('adds minutes, fractions included', () => {
  expect(addMinutes('2026-02-26T12:00:00+02:00', 0.5)).toBe('2026-02-26T10:00:30.000Z');
});
