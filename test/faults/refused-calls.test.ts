import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.js';
import { AgentXError } from '../../src/protocol/errors.js';
import type { FileSystem } from '../../src/storage/files/file-system.js';
import { acquireLock } from '../../src/storage/files/lock.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { isLong, repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type KindName, kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import { refusing, refusingAny } from './support/strange-file-systems.js';

const AT_ONCE = 3;
/** More calls than any of these updates makes. */
const MAX_CALLS = 250;
/** Another fifth of the calls in each run; all with `npm run test:faults`. Each code comes in turn. */
const STRIDE = repetitions({ short: 5, long: 1 });
const CODES = ['EIO', 'EMFILE', 'EACCES', 'ENOSPC'] as const;

interface Scene {
  readonly kind: KindName;
  /** How many updates came before: after enough of them a process has a journal. */
  readonly before: number;
  readonly how: string;
  /** Whether the n-th call is refused, if the refusals begin at call `at`. */
  readonly refuses: (call: number, at: number) => boolean;
  /** Counts the calls of a file system, and refuses the given ones. */
  readonly disk: (isRefused: () => boolean, at: number) => FileSystem;
}

const once = { how: 'once', refuses: (call: number, at: number) => call === at };
const fromThenOn = { how: 'from then on', refuses: (call: number, at: number) => call >= at };
const oneCode = (at: number) => CODES[at % CODES.length];

const disks: readonly Pick<Scene, 'how' | 'refuses' | 'disk'>[] = [
  { ...once, disk: (isRefused) => refusing(isRefused) },
  { ...fromThenOn, disk: (isRefused) => refusing(isRefused, () => 'EROFS') },
  ...[once, fromThenOn].map(({ how, refuses }) => ({
    how: `${how}, even to look`,
    refuses,
    disk: (isRefused: () => boolean, at: number) => refusingAny(() => (isRefused() ? oneCode(at) : undefined)),
  })),
];

const scenes: readonly Scene[] = disks.flatMap((disk) => [
  { kind: 'clarification' as const, before: 0, ...disk },
  { kind: 'clarification' as const, before: 12, ...disk },
  { kind: 'answer' as const, before: 1, ...disk },
  { kind: 'issue' as const, before: 1, ...disk },
]);

/** Calls that read several documents at once, or look which processes are at work. */
const listings: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'open questions': (store) => store.questions.list({ status: 'open' }),
  'questions of an issue': (store) => store.questions.list({ issue: 42 }),
  'unfinished issues': (store) => store.issues.summaries(),
  'all issues': (store) => store.issues.list(),
  'unfinished runs': (store) => store.runs.list({ finished: false }),
  'a ledger': (store) => store.ledgers.read(42),
  'the memory of an issue': (store) => store.observations.getByIssue(42),
  'the right to a run': async (store) => (await store.claim({ run: 42 })).release(),
};

describe('a disk that refuses any of the calls of an update', () => {
  it.each(scenes)(
    '$how ($kind after $before) leaves no caller without an answer, and is used again when it works',
    async (scene) => {
      let refused = 0;
      for (let at = Math.floor(Math.random() * STRIDE); at < MAX_CALLS; at += STRIDE) {
        const reached = await refuseAt(scene, at);
        if (reached === 'the end') break;
        refused++;
      }
      expect(refused).toBeGreaterThan(isLong ? 5 : 0);
      expect(refused).toBeLessThan(MAX_CALLS);
    },
  );

  it.each(Object.entries(listings))(
    'is reported to the caller that wants %s, and is asked again when it works',
    async (_, list) => {
      const root = temporaryFolder();
      for (const { add } of Object.values(kinds)) await add(openFileStore({ root }), 'there');
      const whole = await list(openFileStore({ root }));
      for (let at = 0, reached = true; reached; at++) {
        let call = -1;
        let isCounting = true;
        const fs = refusingAny(() => (isCounting && ++call === at ? oneCode(at) : undefined));
        const store = openFileStore({ root, fs });
        const outcome = await list(store).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome, `call ${at}`).toMatchObject({ code: 'STORE_ERROR' });
        reached = call >= at;
        isCounting = false;
        expect(await list(store), `call ${at}`).toEqual(whole);
        expect(at).toBeLessThan(MAX_CALLS);
      }
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

async function refuseAt({ kind, before, refuses, disk }: Scene, at: number): Promise<'refused' | 'the end'> {
  const root = temporaryFolder();
  let call = -1;
  let isCounting = false;
  const fs = disk(() => isCounting && refuses(++call, at), at);
  const store = openFileStore({ root, fs, lockWaitMs: 20_000, journalAfter: before > 6 ? 6 : 60 });
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

/** Each has a result: the acknowledged ones are returned. */
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
