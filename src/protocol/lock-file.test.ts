import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { LockFile } from './lock-file.js';

it('takes the three fields of the open contract and ours', () => {
  const literal = { pid: 12345, timestamp: '2026-02-26T10:00:00.123Z', agent: 'engineer' };
  expect(z.parse(LockFile, literal)).toEqual(literal);
  const ours = { ...literal, token: 't', host: 'h', start: 1, more: true };
  expect(z.parse(LockFile, ours)).toEqual(ours);
});

it('refuses half a lock', () => {
  for (const value of [{}, { pid: 1 }, { pid: '1', timestamp: 'x', agent: 'a' }, null, []]) {
    expect(z.safeParse(LockFile, value).success).toBe(false);
  }
});
