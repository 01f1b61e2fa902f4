import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Child, startChild } from './support/children.js';
import { KIND_NAMES, type KindName, kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import type { Acknowledged, UpdaterConfig } from './support/updater.js';

const PROCESSES = 4;
/** Keeps documents from growing without end: after so many kills a new one is begun. */
const KILLS_PER_ROUND = 15;

describe('processes that are killed at random instants', () => {
  it.each(KIND_NAMES)(
    'lose no acknowledged %s, double none and leave no litter [US-1.2/27] [US-1.2/12]',
    async (kind) => {
      const kills = repetitions(kind === 'clarification' ? { short: 12, long: 300 } : { short: 5, long: 100 });
      for (let done = 0; done < kills; done += KILLS_PER_ROUND) {
        await oneRound(kind, Math.min(KILLS_PER_ROUND, kills - done));
      }
    },
  );
});

async function oneRound(kind: KindName, kills: number): Promise<void> {
  const root = temporaryFolder();
  const children = await churn({ root, kind, kills });
  const fresh = startChild<Acknowledged>('updater', { root, kind, name: 'fresh', count: 1 } satisfies UpdaterConfig);
  await fresh.untilDone();

  const present = await kinds[kind].present(openFileStore({ root }));
  expect(present.length, 'nothing is there twice').toBe(new Set(present).size);
  const acknowledged = [...children, fresh].map((child) => child.reports.map((report) => report.acknowledged));
  expect(
    acknowledged.flat().filter((key) => !present.includes(key)),
    'acknowledged, but gone',
  ).toEqual([]);
  const unacknowledged = present.filter((key) => !acknowledged.flat().includes(key));
  const writers = unacknowledged.map((key) => /c\d+-/.exec(key)?.[0]);
  expect(writers.length, 'a killed process had one under way at most').toBe(new Set(writers).size);
  await expect.poll(() => litterIn(root)).toEqual([]);
}

/** Keeps a few updaters at work, kills them one by one at random instants and starts others in their place. */
async function churn({ root, kind, kills }: { root: string; kind: KindName; kills: number }) {
  const all: Child<Acknowledged>[] = [];
  const start = (): Child<Acknowledged> => {
    const config: UpdaterConfig = { root, kind, name: `c${all.length}` };
    const child = startChild<Acknowledged>('updater', config);
    all.push(child);
    return child;
  };
  const living = Array.from({ length: PROCESSES }, start);
  for (let killed = 0; killed < kills; killed++) {
    const victim = living.shift();
    if (!victim) throw new Error('No process is left to kill.');
    // One in four is killed while it starts, the others at work.
    if (killed % 4 !== 0) await victim.untilReported(1);
    await sleep(Math.random() * 60);
    await end(victim);
    living.push(start());
  }
  await Promise.all(living.map(end));
  return all;
}

async function end(child: Child<Acknowledged>): Promise<void> {
  child.kill();
  const { signal } = await child.ended;
  expect(signal, child.errors).toBe('SIGKILL');
}
