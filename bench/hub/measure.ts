import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { layoutOf } from '../../src/storage/files/layout.js';
import { median, quantile } from '../statistics.js';
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
  /** Milliseconds of a cycle. */
  readonly p50: number;
  readonly p99: number;
}

/** How long each contender works before it is measured: so many cycles later, its code is compiled. */
const WARM_UP = { cycles: 3_000, slices: 8 };

/**
 * The contenders take turns, one slice each per round, and each round begins with another one: whatever else the machine
 * does hits all alike.
 */
export async function measure(theCase: Case, folder: string, timing: { rounds: number; sliceMs: number }) {
  const askers: Entry[] = [];
  for (const name of theCase.contenders) askers.push(await openEntry(theCase, name, folder));
  for (const entry of askers) await warmUp(entry, theCase.lanes, timing.sliceMs);
  for (let round = 0; round < timing.rounds; round++) {
    for (let turn = 0; turn < askers.length; turn++) {
      const entry = askers[(round + turn) % askers.length];
      if (entry) entry.throughputs.push(await work(entry, theCase.lanes, timing.sliceMs));
    }
  }
  for (const { asker } of askers) asker.close?.();
  rmSync(folder, { recursive: true, force: true });
  return askers.map(
    ({ name, throughputs, latencies }): Measurement => ({
      case: theCase.name,
      contender: name,
      throughput: median(throughputs),
      throughputs,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    }),
  );
}

interface Entry {
  readonly name: ContenderName;
  readonly asker: Asker;
  readonly throughputs: number[];
  readonly latencies: number[];
}

async function openEntry({ lanes, isShared }: Case, name: ContenderName, parent: string): Promise<Entry> {
  const folder = join(parent, name);
  const documents = documentsOf(parent, name);
  for (const path of [folder, documents]) mkdirSync(path, { recursive: true });
  const contender = await CONTENDERS[name].load();
  return { name, asker: await contender.open({ folder, documents, lanes, isShared }), throughputs: [], latencies: [] };
}

function documentsOf(parent: string, name: ContenderName): string {
  const asksHumans = CONTENDERS[name].cycle === 'question';
  const { questions, ledgers } = layoutOf(join(parent, asksHumans ? 'ours-question' : 'ours', '.agentx'));
  return asksHumans ? questions : ledgers;
}

async function warmUp(entry: Entry, lanes: number, sliceMs: number): Promise<void> {
  for (let slice = 0; slice < WARM_UP.slices && entry.latencies.length < WARM_UP.cycles; slice++)
    await work(entry, lanes, sliceMs);
  entry.latencies.splice(0);
}

/** Cycles per second. Those that are under way at the end are finished, and count with the time that they take. */
async function work({ asker, latencies }: Entry, lanes: number, sliceMs: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  const lane = async (index: number): Promise<void> => {
    while (performance.now() - started < sliceMs) {
      const began = performance.now();
      await asker.cycle(index);
      latencies.push(performance.now() - began);
      count++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  return count / ((performance.now() - started) / 1000);
}
