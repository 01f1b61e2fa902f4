import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/protocol/observation.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { isLong } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { ActName, ActorConfig, ActorReport } from './support/actor.js';
import { startChild } from './support/children.js';
import { killAtEveryCall, type Reached } from './support/every-call.js';
import { litterIn } from './support/litter.js';
import { captured } from './support/observations.js';

interface Scene {
  readonly act: ActName;
  readonly prepare: (root: string) => Promise<void>;
}

const EARLIER = captured('earlier');
const remember = (root: string) => openFileStore({ root }).observations.store(EARLIER);

const scenes: readonly Scene[] = [
  { act: 'a capture', prepare: remember },
  { act: 'compacting the memory', prepare: remember },
  {
    act: 'restoring the memory',
    prepare: async (root) => {
      await remember(root);
      await openFileStore({ root }).observations.compact(42);
    },
  },
  { act: 'rebuilding the memory', prepare: remember },
  { act: 'counting recalls', prepare: remember },
];

const moments = ['before', 'amid'] as const;
const MAX_CALLS = 120;
const STRIDE = isLong ? 1 : 5;

describe('a process that is killed between any two calls to the file system', () => {
  it.each(scenes)('during $act loses and doubles no observation, and the next command goes on', async (scene) => {
    let killed = 0;
    for (const when of moments) {
      killed += await killAtEveryCall((at) => killOnce(scene, at, when), { most: MAX_CALLS, stride: STRIDE });
    }
    expect(killed).toBeGreaterThan(isLong ? 10 : 0);
  });
});

async function killOnce({ act, prepare }: Scene, at: number, when: 'before' | 'amid'): Promise<Reached> {
  const root = temporaryFolder();
  await prepare(root);
  const fault = { signal: 'SIGKILL', at, when } as const;
  const child = startChild<ActorReport>('actor', { root, act, name: 'killed', fault } satisfies ActorConfig);
  const { signal } = await child.ended;
  const isAcknowledged = child.reports.some((report) => 'acknowledged' in report);
  const where = `killed ${when} call ${at}`;

  const { observations: memory } = openFileStore({ root, agent: 'successor' });
  const isCaptured = act === 'a capture' && (await memory.getById(captured('killed')[0]?.id ?? '')) !== null;
  if (act === 'a capture' && isAcknowledged) expect(isCaptured, where).toBe(true);
  const all: readonly Observation[] = [...EARLIER, ...(isCaptured ? captured('killed') : [])];
  for (const { id, content } of all) expect(await memory.getById(id), where).toMatchObject({ content });
  expect((await memory.search('module', 100)).length, where).toBeGreaterThan(0);

  // The next recall counts, even if a process died with the lock of the list. Acknowledged recalls count too.
  const [first] = EARLIER;
  await memory.countRecalls([first?.id ?? '']);
  const { recallCount = 0 } = (await memory.getById(first?.id ?? '')) ?? {};
  expect(recallCount, where).toBeGreaterThanOrEqual(act === 'counting recalls' && isAcknowledged ? 2 : 1);

  // Whatever was left half done, compacting and restoring complete it.
  await memory.compact(42);
  await memory.restore(42);
  const ids = all.map(({ id }) => id).toSorted();
  expect((await memory.getByIssue(42)).map(({ id }) => id).toSorted(), where).toEqual(ids);
  const { items, damaged } = await memory.list({ archived: true });
  expect(items.map(({ id }) => id).toSorted(), where).toEqual(ids);
  expect(damaged, where).toEqual([]);
  for (const name of readdirSync(join(root, 'memory')).filter((file) => file.endsWith('.json')))
    expect(() => JSON.parse(readFileSync(join(root, 'memory', name), 'utf8')), where).not.toThrow();
  await expect.poll(() => litterIn(root), { message: where }).toEqual([]);
  if (signal === 'SIGKILL') return 'killed';
  expect(child.reports.at(-1), child.errors).toHaveProperty('calls');
  return 'the end';
}
