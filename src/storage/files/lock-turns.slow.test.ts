import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countedFileSystem } from '../../../test/support/counted-file-system.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { BASE_LOCK_DELAY_MS, MAX_LOCK_RETRIES } from '../../protocol/limits.js';
import { acquireLock } from './lock.js';
import { pauseBeforeLook } from './lock-turns.js';

describe('waiting for a lock', () => {
  it('never pauses longer than the base delay before the next look [US-1.2/15]', () => {
    const pauses = Array.from({ length: 1_000 }, (_, n) => pauseBeforeLook(n % 2 ? 'next' : 'behind'));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(BASE_LOCK_DELAY_MS);
  });

  it('ends after five seconds unless told otherwise, and at least five looks [US-1.2/14] [US-1.2/16] [US-1.2/18]', async () => {
    const file = join(temporaryFolder(), 'ledger.json');
    const holder = await acquireLock(file, { agent: 'architect' });
    const { fs, calls } = countedFileSystem();
    const attempt = acquireLock(file, { agent: 'engineer', fs });
    await expect(attempt).rejects.toThrow('waited 5 s');
    await expect(attempt).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
    expect(calls.filter((call) => call === 'statSync').length).toBeGreaterThanOrEqual(MAX_LOCK_RETRIES);
    holder.release();
  });

  it('is not needed for a free lock: it is taken and released with a handful of calls', async () => {
    const { fs, calls } = countedFileSystem();
    (await acquireLock(join(temporaryFolder(), 'ledger.json'), { agent: 'engineer', fs })).release();
    expect(calls).toEqual([
      ...['openSync', 'writeSync', 'fstatSync', 'linkSync'],
      ...['statSync', 'unlinkSync', 'unlinkSync', 'closeSync'],
    ]);
  });
});
