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
  // Any units, lone surrogates included, with pairs made likely.
  const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }));
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = String.fromCharCode(...units);
      return countCharacters(text) === [...text].length;
    }),
  );
});

it('keeps the lock figures of the specification [US-1.2/13]', () => {
  expect([STALE_LOCK_THRESHOLD_MS, MAX_LOCK_RETRIES, BASE_LOCK_DELAY_MS, MAX_LOCK_WAIT_MS]).toEqual([
    30_000, 5, 200, 5000,
  ]);
});
