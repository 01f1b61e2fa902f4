import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { JsonFileLock } from '../../src/storage/files/json-file-lock.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Child, startChild } from './support/children.js';
import type { HolderConfig, HolderReport, RacerConfig, RacerReport } from './support/holder.js';
import { kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import { aLockOfOurs, deadProcess, putHeir, putLock } from './support/lock-files.js';
import type { Acknowledged, UpdaterConfig } from './support/updater.js';

describe('a lock', () => {
  it('never has two holders while holders are killed, and passes on at once [US-1.2/10] [US-1.2/12]', async () => {
    const file = join(temporaryFolder(), 'shared.json');
    let started = 0;
    const start = (): Child<HolderReport> =>
      startChild('holder', { file, name: `h${started++}`, stayMs: 4 } satisfies HolderConfig);
    const living = Array.from({ length: 6 }, start);
    const kills = repetitions({ short: 25, long: 300 });
    for (let killed = 0; killed < kills; killed++) {
      const victim = living[Math.floor(Math.random() * living.length)];
      if (!victim) throw new Error('No process is left to kill.');
      await untilInside(victim);
      await end(victim);
      living[living.indexOf(victim)] = start();
    }
    await Promise.all(living.map(end));
    expect(await new JsonFileLock().withLock(file, 'survivor', () => 'held')).toBe('held');
  });

  it('left by a dead holder goes to exactly one of many waiters [US-1.2/25]', async () => {
    const racers = startRacers(8);
    await everyReport(racers, 1);
    const folder = temporaryFolder();
    const rounds = repetitions({ short: 40, long: 1000 });
    const dead = deadProcess();
    for (let round = 1; round <= rounds; round++) {
      const file = join(folder, `race-${round}.json`);
      const orphan = aLockOfOurs({ pid: dead });
      putLock(file, orphan);
      // Every third time an heir died on the way as well.
      if (round % 3 === 0) putHeir(file, orphan, aLockOfOurs({ pid: dead, start: 2 }));
      for (const racer of racers) racer.send(file);
      await everyReport(racers, round + 1);
    }
    for (const racer of racers) racer.close();
    await Promise.all(racers.map((racer) => racer.untilDone()));
    await expect.poll(() => litterIn(folder)).toEqual([]);
  });

  it('is exclusive on a file system without hard links too', async () => {
    const file = join(temporaryFolder(), 'shared.json');
    const config = { file, stayMs: 2, turns: 60, hasLinks: false, waitsForSignal: true };
    const holders = Array.from({ length: 4 }, (_, index) =>
      startChild<HolderReport>('holder', { ...config, name: `h${index}` } satisfies HolderConfig),
    );
    await everyReport(holders, 1);
    for (const holder of holders) holder.send('go');
    const reports = await Promise.all(holders.map((holder) => holder.untilDone()));
    for (const own of reports) expect(own.filter(({ event }) => event === 'left')).toHaveLength(60);
  });
});

describe('updates on a file system without hard links', () => {
  it('of several processes are all kept [US-1.2/11]', async () => {
    const root = temporaryFolder();
    const updaters = Array.from({ length: 4 }, (_, index) => {
      const config: UpdaterConfig = { root, kind: 'clarification', name: `u${index}`, count: 15, hasLinks: false };
      return startChild<Acknowledged>('updater', config);
    });
    const acknowledged = await Promise.all(updaters.map((updater) => updater.untilDone()));
    const present = await kinds.clarification.present(openFileStore({ root }));
    expect(present.toSorted()).toEqual(
      acknowledged.flatMap((own) => own.map((report) => report.acknowledged)).toSorted(),
    );
    expect(present).toHaveLength(60);
    await expect.poll(() => litterIn(root)).toEqual([]);
  });
});

function startRacers(count: number): Child<RacerReport>[] {
  return Array.from({ length: count }, (_, index) =>
    startChild<RacerReport>('racer', { name: `racer-${index}` } satisfies RacerConfig),
  );
}

async function everyReport(children: readonly Child<unknown>[], count: number): Promise<void> {
  await Promise.all(children.map((child) => child.untilReported(count)));
}

/** Returns while the child is inside, or so soon after that it may be anywhere between two turns. */
async function untilInside(child: Child<HolderReport>): Promise<void> {
  const before = child.reports.length;
  do await child.untilReported(child.reports.length + 1);
  while (child.reports.at(-1)?.event !== 'inside' && child.reports.length < before + 10);
  await sleep(Math.random() * 3);
}

async function end(child: Child<HolderReport>): Promise<void> {
  child.kill();
  const { signal } = await child.ended;
  expect(signal, child.errors).toBe('SIGKILL');
}
