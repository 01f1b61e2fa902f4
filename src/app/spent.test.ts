import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { isSpent, spend } from './spent.js';

const NAME = '0123456789abcdef0123456789abcdef';

it('is spent by the first that asks, and by no other', () => {
  const state = temporaryFolder();
  expect(isSpent(state, NAME)).toBe(false);
  expect([spend(state, NAME, 0), spend(state, NAME, 0)]).toEqual([true, false]);
  expect(isSpent(state, NAME)).toBe(true);
});

it('is never spent under a name that could be a path', () => {
  const state = temporaryFolder();
  expect(spend(state, '../outside', 0)).toBe(false);
  expect(isSpent(state, '../outside')).toBe(true);
  expect(readdirSync(join(state))).toEqual([]);
});
