import { expect, it } from 'vitest';
import { aRun } from '../../test/builders/run.js';
import { hasEndedSince } from './open-run.js';

it('a run has ended since it was read if it was under way then, or another one, or none', () => {
  const done = aRun({ status: 'done' });
  expect(hasEndedSince(done, aRun())).toBe(true);
  expect(hasEndedSince(done, aRun({ id: 'run-42-0', status: 'failed' }))).toBe(true);
  expect(hasEndedSince(done, undefined)).toBe(true);
  expect(hasEndedSince(done, done)).toBe(false);
  expect(hasEndedSince(aRun(), undefined)).toBe(false);
});
