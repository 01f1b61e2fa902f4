import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusingAny } from '../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { JsonFileLock } from './json-file-lock.js';

/** More calls than a lock takes. */
const MAX_CALLS = 40;

describe.each([
  ['with hard links', undefined],
  ['without hard links', 'EPERM'],
])('a disk %s', (_, codeOfLinks) => {
  it('that refuses any one call of taking and releasing a lock leaves it free for the next process', async () => {
    for (let at = 0, isReached = true; isReached; at++) {
      const folder = temporaryFolder();
      const file = join(folder, 'a.json');
      let call = -1;
      const fs = refusingAny((name) => {
        if (name === 'linkSync' && codeOfLinks !== undefined) return codeOfLinks;
        return ++call === at ? 'EIO' : undefined;
      });
      const refusal = await new JsonFileLock({ fs })
        .withLock(file, 'unlucky', () => undefined)
        .catch((error: unknown) => error);
      if (refusal !== undefined) expect(refusal, `call ${at}`).toMatchObject({ code: 'STORE_ERROR' });
      isReached = call >= at;
      await new JsonFileLock().withLock(file, 'next', () => undefined);
      await expect.poll(() => readdirSync(folder), { message: `call ${at}` }).toEqual([]);
      expect(at).toBeLessThan(MAX_CALLS);
    }
  });
});
