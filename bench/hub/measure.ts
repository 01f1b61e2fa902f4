import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { layoutOf } from '../../src/storage/files/layout.js';
import { median, quantile, sum } from '../statistics.js';
import { type Asker, CONTENDERS, type ContenderName } from './contender.js';

export interface Case {
  readonly name: string;
  readonly lanes: number;
  readonly isShared: boolean;
  /** The first is ours, the second the bare updates; the others are peers. */
  readonly contenders: readonly ContenderName[];
}

export interface Measurement {
  readonly case: string;
  readonly contender: ContenderName;
  /** Cycles per second: the median of the rounds, and each of them. */
  readonly throughput: number;
  readonly throughputs: readonly number[];
  /** Milliseconds of a cycle: the medians of the rounds, and each of them. */
  readonly p50: number;
  readonly p99: number;
  readonly p99s: readonly number[];
}

/**
 * The first rounds do not count: V8 compiles 180 functions of ours during the first thousand cycles, 10 during the sixth and
 * 5 during the ninth. The contenders take turns there as well, for one that waits is no longer the busy process that is to be
 * measured.
 */
const WARM_UP = { cycles: 8_000, timesAsLong: 2.5 };
/** A pause before each slice, for background work that the contender before left behind. */
const BREATH_MS = 50;

/**
 * The contenders take turns, one slice each per round, and each round begins with another one, so that disturbances of
 * the machine hit all alike.
 */
export async function measure(theCase: Case, folder: string, timing: { rounds: number; sliceMs: number }) {
  const entries: Entry[] = [];
  for (const name of theCase.contenders) entries.push(await openEntry(theCase, name, folder));
  const playRound = async (round: number) => {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(round + turn) % entries.length];
      entry?.slices.push(await work(entry.asker, theCase.lanes, timing.sliceMs));
    }
  };
  for (let round = 0; round < WARM_UP.timesAsLong * timing.rounds && !isWarm(entries); round++) await playRound(round);
  for (const { slices } of entries) slices.splice(0);
  for (let round = 0; round < timing.rounds; round++) await playRound(round);
  for (const { asker } of entries) asker.close?.();
  rmSync(folder, { recursive: true, force: true });
  return entries.map(({ name, slices }) => measurementOf(theCase.name, name, slices));
}

/** Ours is the most code, and therefore the last to get warm. */
function isWarm([ours]: readonly Entry[]): boolean {
  return ours !== undefined && sum(ours.slices.map(({ latencies }) => latencies.length)) >= WARM_UP.cycles;
}

interface Entry {
  readonly name: ContenderName;
  readonly asker: Asker;
  readonly slices: Slice[];
}

interface Slice {
  readonly throughput: number;
  readonly latencies: readonly number[];
}

function measurementOf(name: string, contender: ContenderName, slices: readonly Slice[]): Measurement {
  const throughputs = slices.map(({ throughput }) => throughput);
  const p50s = slices.map(({ latencies }) => quantile(latencies, 0.5));
  const p99s = slices.map(({ latencies }) => quantile(latencies, 0.99));
  return {
    case: name,
    contender,
    throughput: median(throughputs),
    throughputs,
    p50: median(p50s),
    p99: median(p99s),
    p99s,
  };
}

async function openEntry({ lanes, isShared }: Case, name: ContenderName, parent: string): Promise<Entry> {
  const folder = join(parent, name);
  const documents = documentsOf(parent, name);
  for (const path of [folder, documents]) mkdirSync(path, { recursive: true });
  const contender = await CONTENDERS[name].load();
  return { name, asker: await contender.open({ folder, documents, lanes, isShared }), slices: [] };
}

function documentsOf(parent: string, name: ContenderName): string {
  const asksHumans = CONTENDERS[name].cycle === 'question';
  const { questions, ledgers } = layoutOf(join(parent, asksHumans ? 'ours-question' : 'ours', '.agentx'));
  return asksHumans ? questions : ledgers;
}

/** Cycles under way at the end are finished, and count with the time that they take. */
async function work(asker: Asker, lanes: number, sliceMs: number): Promise<Slice> {
  await sleep(BREATH_MS);
  const started = performance.now();
  const latencies: number[] = [];
  const lane = async (index: number): Promise<void> => {
    while (performance.now() - started < sliceMs) {
      const began = performance.now();
      await asker.cycle(index);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  return { throughput: latencies.length / ((performance.now() - started) / 1000), latencies };
}
