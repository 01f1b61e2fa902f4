import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchPath } from '../../src/storage/files/lock-names.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { isLong } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { ActName, ActorConfig, ActorReport } from './support/actor.js';
import { startChild } from './support/children.js';
import { killAtEveryCall, type Reached } from './support/every-call.js';
import { type KindName, kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import { aLockOfOurs, deadProcess, putHeir, putLock } from './support/lock-files.js';
import { ledgerPath } from './support/paths.js';

interface Scene {
  readonly name: string;
  readonly act: ActName;
  readonly kind: KindName;
  /** Everything acknowledged before, with the files as they are when the process that will be killed starts. */
  readonly prepare: (root: string) => Promise<string[]>;
}

const nothing = async (): Promise<string[]> => [];
const add = async (root: string, kind: KindName): Promise<string[]> => [
  await kinds[kind].add(openFileStore({ root }), 'earlier'),
];

const scenes: readonly Scene[] = [
  { name: 'the first update ever', act: 'one clarification', kind: 'clarification', prepare: nothing },
  {
    name: 'a later update',
    act: 'one clarification',
    kind: 'clarification',
    prepare: (root) => add(root, 'clarification'),
  },
  {
    name: 'three updates in one commit',
    act: 'three clarifications',
    kind: 'clarification',
    prepare: (root) => add(root, 'clarification'),
  },
  {
    name: 'an update in a folder where others died',
    act: 'one clarification',
    kind: 'clarification',
    prepare: async (root) => {
      const before = await add(root, 'clarification');
      const orphan = aLockOfOurs({ pid: deadProcess() });
      putLock(ledgerPath(root), orphan);
      putHeir(ledgerPath(root), orphan, aLockOfOurs({ pid: deadProcess() }));
      writeFileSync(scratchPath(ledgerPath(root), orphan.token), '{"issueNumb');
      return before;
    },
  },
  {
    name: 'waiting for the lock of a holder that dies',
    act: 'a lock',
    kind: 'clarification',
    prepare: async (root) => {
      putLock(ledgerPath(root), aLockOfOurs({ pid: deadProcess() }));
      return [];
    },
  },
  { name: 'asking a question', act: 'a question', kind: 'question', prepare: (root) => add(root, 'question') },
  { name: 'creating an issue', act: 'an issue', kind: 'issue', prepare: (root) => add(root, 'issue') },
];

const moments = isLong ? (['before', 'amid', 'after'] as const) : (['before', 'amid'] as const);
const MAX_CALLS = 80;
const STRIDE = isLong ? 1 : 3;

describe('a process that is killed between any two calls to the file system', () => {
  it.each(scenes)(
    'during $name loses nothing acknowledged, blocks no process and leaves no litter [X-12/5]',
    async (scene) => {
      let killed = 0;
      for (const when of moments) {
        killed += await killAtEveryCall((at) => killOnce(scene, at, when), { most: MAX_CALLS, stride: STRIDE });
      }
      expect(killed).toBeGreaterThan(isLong ? 10 : 0);
    },
  );
});

async function killOnce({ act, kind, prepare }: Scene, at: number, when: (typeof moments)[number]): Promise<Reached> {
  const root = temporaryFolder();
  const before = await prepare(root);
  const config: ActorConfig = { root, act, name: 'killed', fault: { signal: 'SIGKILL', at, when } };
  const child = startChild<ActorReport>('actor', config);
  const { signal } = await child.ended;
  const acknowledged = child.reports.flatMap((report) =>
    'acknowledged' in report && act !== 'a lock' ? report.acknowledged : [],
  );
  const where = `killed ${when} call ${at}`;

  const store = openFileStore({ root, agent: 'successor' });
  const after = await kinds[kind].add(store, 'successor');
  const present = await kinds[kind].present(store);
  expect(present, where).toEqual(expect.arrayContaining([...before, ...acknowledged, after]));
  const others = present.filter((key) => !before.includes(key) && key !== after);
  expect(others.length, where).toBe(new Set(others).size);
  expect([0, act === 'three clarifications' ? 3 : 1], `${where}: all of a commit or nothing`).toContain(others.length);
  await expect.poll(() => litterIn(root), { message: where }).toEqual([]);
  expect(readFileSync(join(root, '.gitignore'), 'utf8'), where).toMatch(/^state\/\n\*\.lock\n.*digests\/\n$/s);
  if (signal === 'SIGKILL') return 'killed';
  expect(child.reports.at(-1), child.errors).toHaveProperty('calls');
  return 'the end';
}
