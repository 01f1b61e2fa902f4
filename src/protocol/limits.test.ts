import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  BASE_LOCK_DELAY_MS,
  countCharacters,
  MAX_LOCK_RETRIES,
  MAX_LOCK_WAIT_MS,
  STALE_LOCK_THRESHOLD_MS,
} from './limits.js';

it('counts a character outside the basic plane once', () => {
  expect(countCharacters('a\u{1f600}b')).toBe(3);
  expect(countCharacters('\ud83d')).toBe(1);
});

it('counts as iteration does, whatever the text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => countCharacters(text) === [...text].length));
});

it('keeps the lock figures of the specification', () => {
  expect([STALE_LOCK_THRESHOLD_MS, MAX_LOCK_RETRIES, BASE_LOCK_DELAY_MS, MAX_LOCK_WAIT_MS]).toEqual([
    30_000, 5, 200, 5000,
  ]);
});
