import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.js';
import { AgentXError } from '../../src/protocol/errors.js';
import { acquireLock } from '../../src/storage/files/lock.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type KindName, kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import { refusing } from './support/strange-file-systems.js';

const AT_ONCE = 3;
/** More calls than any of these updates makes. */
const MAX_CALLS = 150;

interface Scene {
  readonly kind: KindName;
  /** Updates before: after enough of them a process has a journal. */
  readonly before: number;
  readonly how: string;
  /** Whether the n-th call is refused, if it is the `at`-th that everything begins with. */
  readonly refuses: (call: number, at: number) => boolean;
  readonly code: 'EIO' | 'EROFS';
}

const once = { how: 'once', code: 'EIO', refuses: (call: number, at: number) => call === at } as const;
const fromThenOn = { how: 'from then on', code: 'EROFS', refuses: (call: number, at: number) => call >= at } as const;

const scenes: readonly Scene[] = [once, fromThenOn].flatMap((how) => [
  { kind: 'clarification' as const, before: 0, ...how },
  { kind: 'clarification' as const, before: 60, ...how },
  { kind: 'answer' as const, before: 1, ...how },
  { kind: 'issue' as const, before: 1, ...how },
]);

describe('a disk that refuses any of the calls of an update', () => {
  it.each(scenes)(
    '$how ($kind after $before) leaves nobody without an answer, and is used again when it works',
    async (scene) => {
      let refused = 0;
      for (let at = 0; at < MAX_CALLS; at += 1) {
        const reached = await refuseAt(scene, at);
        if (reached === 'the end') break;
        refused++;
      }
      expect(refused).toBeGreaterThan(5);
      expect(refused).toBeLessThan(MAX_CALLS);
    },
  );

  it('keeps the lock of a holder that works on', async () => {
    let isBroken = false;
    const file = join(temporaryFolder(), 'a.json');
    const fs = refusing(() => isBroken);
    const lock = await acquireLock(file, { agent: 'holder', fs });
    isBroken = true;
    lock.beat();
    expect(lock.isMine()).toBe(true);
    lock.release();
    expect(existsSync(`${file}.lock`)).toBe(true);
    isBroken = false;
    const next = await acquireLock(file, { agent: 'next' });
    expect(next.isMine()).toBe(true);
    next.release();
    await expect.poll(() => existsSync(`${file}.lock`)).toBe(false);
  });
});

async function refuseAt({ kind, before, refuses, code }: Scene, at: number): Promise<'refused' | 'the end'> {
  const root = temporaryFolder();
  let call = -1;
  let isCounting = false;
  const fs = refusing(
    () => isCounting && refuses(++call, at),
    () => code,
  );
  const store = openFileStore({ root, fs, lockWaitMs: 20_000, journalAfter: 30 });
  const acknowledged: string[] = [];
  for (let number = 0; number < before; number++) acknowledged.push(await kinds[kind].add(store, `earlier-${number}`));

  isCounting = true;
  acknowledged.push(...(await addAtOnce(store, kind, `refused-${at}`)));
  const made = call + 1;
  isCounting = false;

  const where = `call ${at}`;
  acknowledged.push(await kinds[kind].add(store, 'same'));
  const other = openFileStore({ root, lockWaitMs: 20_000 });
  acknowledged.push(await kinds[kind].add(other, 'other'));
  expect(await kinds[kind].present(other), where).toEqual(expect.arrayContaining(acknowledged));
  await expect.poll(() => litterIn(root), { message: where }).toEqual([]);
  return made > at ? 'refused' : 'the end';
}

/** Each has an answer: what was acknowledged is returned. */
async function addAtOnce(store: Store, kind: KindName, name: string): Promise<readonly string[]> {
  const adding = Array.from({ length: AT_ONCE }, (_, number) => kinds[kind].add(store, `${name}-${number}`));
  const outcomes = await Promise.allSettled(adding);
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    expect(outcome.reason).toBeInstanceOf(AgentXError);
    expect(outcome.reason).toHaveProperty('code', 'STORE_ERROR');
    return [];
  });
}
