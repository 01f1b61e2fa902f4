import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { isLong, repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Child, startChild } from './support/children.js';
import type { HolderConfig, HolderReport } from './support/holder.js';
import { KIND_NAMES, type KindName, kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import type { Acknowledged, UpdaterConfig } from './support/updater.js';

describe('several writers', () => {
  it.each(KIND_NAMES)(
    'in several processes lose no %s, double none and fail none [US-1.2/11] [US-1.2/21]',
    async (kind) => {
      const root = temporaryFolder();
      const count = repetitions({ short: 15, long: 100 });
      const writers = kind === 'observation' ? 8 : 4;
      const updaters = Array.from({ length: writers }, (_, index) =>
        startChild<Acknowledged>('updater', { root, kind, name: `u${index}`, count } satisfies UpdaterConfig),
      );
      const reports = (await Promise.all(updaters.map((updater) => updater.untilDone()))).flat();
      await expectExactly(
        root,
        kind,
        reports.map((report) => report.acknowledged),
        writers * count,
      );
    },
  );

  it.each(KIND_NAMES)('in two stores of one process lose no %s and double none', async (kind) => {
    const root = temporaryFolder();
    const stores = [openFileStore({ root }), openFileStore({ root })];
    const adding = stores.flatMap((store, index) =>
      Array.from({ length: 40 }, (_, number) => kinds[kind].add(store, `s${index}-${number}`)),
    );
    await expectExactly(root, kind, await Promise.all(adding), 80);
  });

  it('of dozens of processes that stay 20 ms each all get their turn in time', async () => {
    const file = join(temporaryFolder(), 'shared.json');
    // The holds of 64 add up to a quarter of the longest wait. A busy machine wakes them late, and gets more room.
    const count = repetitions({ short: 24, long: 64 });
    const waitMs = repetitions({ short: 60_000, long: 5_000 });
    const config = { file, stayMs: 20, isExact: true, turns: 1, waitMs, waitsForSignal: true };
    const holders = await startTogether(count, (index) => ({ ...config, name: `h${index}` }));
    const reports = await Promise.all(holders.map((holder) => holder.untilDone()));
    expect(reports.map(turnsIn)).toEqual(reports.map(() => 1));
  });
});

if (isLong) {
  describe('eight writers', () => {
    it('on one lock get about as many turns each', async () => {
      const file = join(temporaryFolder(), 'shared.json');
      const config = { file, stayMs: 0, forMs: 5_000, waitsForSignal: true };
      const holders = await startTogether(8, (index) => ({ ...config, name: `h${index}` }));
      const turns = (await Promise.all(holders.map((holder) => holder.untilDone()))).map(turnsIn);
      const fairness = Math.min(...turns) / Math.max(...turns);
      console.log(`fairness: ${fairness.toFixed(2)} (slowest / fastest), turns ${turns.join(' ')}`);
      expect(fairness).toBeGreaterThan(0.3);
    });
  });
}

async function expectExactly(
  root: string,
  kind: KindName,
  acknowledged: readonly string[],
  count: number,
): Promise<void> {
  const present = await kinds[kind].present(openFileStore({ root }));
  expect(present.toSorted()).toEqual(acknowledged.toSorted());
  expect(new Set(present).size).toBe(count);
  await expect.poll(() => litterIn(root)).toEqual([]);
}

async function startTogether(
  count: number,
  configure: (index: number) => HolderConfig,
): Promise<Child<HolderReport>[]> {
  const holders = Array.from({ length: count }, (_, index) => startChild<HolderReport>('holder', configure(index)));
  await Promise.all(holders.map((holder) => holder.untilReported(1)));
  for (const holder of holders) holder.send('go');
  return holders;
}

const turnsIn = (reports: readonly HolderReport[]): number => reports.filter(({ event }) => event === 'left').length;
