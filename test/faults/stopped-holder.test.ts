import { readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { JsonFileLock } from '../../src/storage/files/json-file-lock.js';
import { lockPath } from '../../src/storage/files/lock-names.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { isLong } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import type { ActName, ActorConfig, ActorReport } from './support/actor.js';
import { type Child, startChild } from './support/children.js';
import { kinds } from './support/kinds.js';
import { literalLanguages, startLiteral } from './support/literal.js';
import { litterIn } from './support/litter.js';
import { secondsFromNow } from './support/lock-files.js';
import { ledgerPath } from './support/paths.js';

describe('a holder that stands still', () => {
  it('is never broken by ours, who are told its name, process and age [US-1.2/5] [US-1.2/22]', async () => {
    const root = temporaryFolder();
    const holder = await startAndStop(root);
    const attempt = kinds.clarification.add(openFileStore({ root, lockWaitMs: 700 }), 'waiter');
    await expect(attempt).rejects.toMatchObject({
      code: 'LOCK_TIMEOUT',
      message: expect.stringMatching(
        new RegExp(`${ledgerPath(root)}: held by slow \\(pid ${holder.pid}\\) for \\d+ s`),
      ),
      details: { holder: 'slow', pid: holder.pid, ageSeconds: expect.any(Number) },
    });
    await expectToFinish(holder, root);
  });

  it('is never broken by ours however old its lock is, and finishes what it began [US-1.2/24]', async () => {
    const root = temporaryFolder();
    const holder = await startAndStop(root);
    const lock = lockPath(ledgerPath(root));
    if (isLong) await sleep(31_000);
    else makeOld(lock);
    const impatient = new JsonFileLock({ waitMs: 1_500, staleAfterMs: 200 });
    expect(await impatient.acquire(ledgerPath(root), 'waiter')).toBe(false);
    expect(readFileSync(lock, 'utf8')).toContain('"agent":"slow"');
    await expectToFinish(holder, root);
  });

  it.each(literalLanguages)(
    'and is broken by a participant in %s writes nothing and says LOCK_LOST [US-1.2/26]',
    async (language) => {
      const root = temporaryFolder();
      const holder = await startAndStop(root);
      if (!isLong) makeOld(lockPath(ledgerPath(root)));
      const go = join(temporaryFolder(), 'go');
      const config = { ledger: ledgerPath(root), issueNumber: 42, name: 'literal', count: 1, tries: 20_000 };
      const literal = startLiteral(language, { ...config, holdUntil: go });
      // The other one holds its own lock by now, and still does when the first wakes up.
      await untilLockIsOf(root, 'literal');
      holder.kill('SIGCONT');
      const [refusal] = await holder.untilDone();
      expect(refusal).toMatchObject({ refused: 'LOCK_LOST' });
      expect(readFileSync(lockPath(ledgerPath(root)), 'utf8')).toContain('literal');
      writeFileSync(go, '');
      await literal.untilDone();
      const store = openFileStore({ root });
      expect(await kinds.clarification.present(store)).toEqual(['literal-0']);
      await kinds.clarification.add(store, 'next');
      await expect.poll(() => litterIn(root)).toEqual([]);
    },
  );
});

describe('a process that carries a run and stands still in the middle of a write', () => {
  it('writes nothing once another has the run, and says CONFLICT', async () => {
    const root = temporaryFolder();
    const holder = await startAndStop(root, 'a session of a run');
    // Like a program that knows only the open format of locks: this one is old.
    unlinkSync(lockPath(join(root, 'state/runs/issue-42.claim.json')));
    const store = openFileStore({ root });
    const claim = await store.claim({ run: 42 });
    holder.kill('SIGCONT');
    const [refusal] = await holder.untilDone();
    expect(refusal).toMatchObject({ refused: 'CONFLICT' });
    expect((await store.sessions.list()).items).toEqual([]);
    expect(claim.lost.aborted).toBe(false);
    await claim.release();
    await expect.poll(() => litterIn(root)).toEqual([]);
  });
});

/** A process that holds the lock, has the next content half done, and stands still. */
async function startAndStop(root: string, act: ActName = 'one clarification'): Promise<Child<ActorReport>> {
  const fault = { signal: 'SIGSTOP', at: 'fdatasync', when: 'before' } as const;
  const config: ActorConfig = { root, act, name: 'slow', fault };
  const holder = startChild<ActorReport>('actor', config);
  await holder.untilStopped();
  return holder;
}

async function expectToFinish(holder: Child<ActorReport>, root: string): Promise<void> {
  holder.kill('SIGCONT');
  expect(await holder.untilDone()).toContainEqual({ acknowledged: 'slow' });
  expect(await kinds.clarification.present(openFileStore({ root }))).toEqual(['slow']);
  await expect.poll(() => litterIn(root)).toEqual([]);
}

/** As if it had been untouched for ten minutes. */
function makeOld(lock: string): void {
  utimesSync(lock, secondsFromNow(-600), secondsFromNow(-600));
}

async function untilLockIsOf(root: string, name: string): Promise<void> {
  const lock = lockPath(ledgerPath(root));
  await until(() => textOf(lock).includes(name));
}

/** Empty while there is no such file: one lock may be gone before the next is there. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
