import { setTimeout as sleep } from 'node:timers/promises';
import { median, medianRatio } from '../statistics.js';
import { openSweeps, SWEEPS, type Sweep, type SweepName } from './contenders.js';
import type { Ledgers } from './ledgers.js';

/** Every listing reads recently changed files again; after this pause the files are old enough to be trusted. */
const SETTLE_MS = 500;

export interface SweepMeasurement {
  readonly ledgers: number;
  readonly active: number;
  /** Milliseconds for one listing: the median of the rounds. */
  readonly milliseconds: Readonly<Record<SweepName, number>>;
  /** As a multiple of readdir + stat, compared round by round. */
  readonly ratios: Readonly<Record<SweepName, number>>;
}

export async function measureSweeps(ledgers: Ledgers, rounds: number, sliceMs: number): Promise<SweepMeasurement> {
  await sleep(SETTLE_MS);
  const sweeps = openSweeps(ledgers);
  const times: Record<SweepName, number[]> = { bare: [], kept: [], fresh: [], first: [] };
  for (const name of SWEEPS) await timeOf(sweeps[name], sliceMs / 2);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < SWEEPS.length; turn++) {
      const name = SWEEPS[(round + turn) % SWEEPS.length] ?? 'bare';
      times[name].push(await timeOf(sweeps[name], sliceMs));
    }
  }
  const forEachSweep = (of: (name: SweepName) => number): Record<SweepName, number> => ({
    bare: of('bare'),
    kept: of('kept'),
    fresh: of('fresh'),
    first: of('first'),
  });
  return {
    ledgers: ledgers.count,
    active: ledgers.active,
    milliseconds: forEachSweep((name) => median(times[name])),
    ratios: forEachSweep((name) => medianRatio(times[name], times.bare)),
  };
}

/** Milliseconds per listing, repeated for as long as the slice lasts and at least once. */
async function timeOf(sweep: Sweep, sliceMs: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  do {
    await sweep();
    count++;
  } while (performance.now() - started < sliceMs);
  return (performance.now() - started) / count;
}
