import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { median, quantile, sum } from '../statistics.js';
import type { ContenderName } from './contender.js';
import { Crew, type CrewSlice } from './crew.js';

export interface Case {
  readonly name: string;
  readonly processes: number;
  /** Updates that each process keeps under way at once. */
  readonly outstanding: number;
  readonly sync: boolean;
  readonly contenders: readonly ContenderName[];
  /** The folder below which the documents lie. */
  readonly folder: string;
}

export interface Timing {
  readonly rounds: number;
  readonly sliceMs: number;
}

export interface Measurement {
  readonly case: string;
  readonly contender: ContenderName;
  /** Updates per second: the median of the rounds, and each of them. */
  readonly throughput: number;
  readonly throughputs: readonly number[];
  /** Milliseconds, of acknowledged updates. */
  readonly p50: number;
  readonly p99: number;
  /** Updates of the slowest process as a share of the fastest one's. */
  readonly fairness: number;
  readonly acknowledged: number;
  /** Acknowledged, but not in the document at the end. */
  readonly lost: number;
  readonly timeouts: number;
  readonly failures: number;
  readonly firstFailure?: string;
  readonly reads: number;
  readonly unreadable: number;
}

/**
 * All contenders of a case take turns, one slice each per round, and each round begins with another one, so that
 * disturbances of the machine hit all alike. The first round warms up and is not counted.
 */
export async function measure(theCase: Case, { rounds, sliceMs }: Timing): Promise<Measurement[]> {
  const crews: Crew[] = [];
  try {
    for (const contender of theCase.contenders) crews.push(await startCrew(theCase, contender));
    const warmUps = new Map<Crew, CrewSlice>();
    for (const crew of crews) warmUps.set(crew, await crew.work(Math.min(sliceMs, 300)));
    const slices = new Map<Crew, CrewSlice[]>(crews.map((crew) => [crew, []]));
    for (let round = 0; round < rounds; round++) {
      for (const crew of rotate(crews, round)) slices.get(crew)?.push(await crew.work(sliceMs));
    }
    return crews.map((crew) => summarise(theCase.name, crew, warmUps.get(crew), slices.get(crew) ?? [], sliceMs));
  } finally {
    await Promise.all(crews.map((crew) => crew.stop()));
    rmSync(theCase.folder, { recursive: true, force: true });
  }
}

function startCrew({ folder, processes, outstanding, sync }: Case, contender: ContenderName): Promise<Crew> {
  return Crew.start({ contender, processes, outstanding, place: { folder: join(folder, contender), sync } });
}

const rotate = <T>(items: readonly T[], by: number): T[] => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
];

function summarise(
  name: string,
  crew: Crew,
  warmUp: CrewSlice | undefined,
  slices: readonly CrewSlice[],
  sliceMs: number,
): Measurement {
  const results = slices.flatMap(({ workers }) => workers);
  const throughputs = slices.map(({ workers }) => sum(workers.map(({ inTime }) => inTime)) / (sliceMs / 1000));
  const latencies = results.flatMap((result) => [...result.latencies]);
  const acknowledgedCount = sum([...results, ...(warmUp?.workers ?? [])].map((result) => result.acknowledged));
  const firstFailure = results.find((result) => result.firstFailure !== undefined)?.firstFailure;
  return {
    case: name,
    contender: crew.options.contender,
    throughput: median(throughputs),
    throughputs,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    fairness: fairnessOf(slices, crew.options.processes),
    acknowledged: acknowledgedCount,
    lost: Math.max(0, acknowledgedCount - crew.count()),
    timeouts: sum(results.map((result) => result.timeouts)),
    failures: sum(results.map((result) => result.failures)),
    ...(firstFailure !== undefined && { firstFailure }),
    reads: sum(slices.map(({ reads }) => reads)),
    unreadable: sum(slices.map(({ unreadable }) => unreadable)),
  };
}

function fairnessOf(slices: readonly CrewSlice[], processes: number): number {
  const perProcess = Array.from({ length: processes }, (_, index) =>
    sum(slices.map(({ workers }) => workers[index]?.inTime ?? 0)),
  );
  return Math.min(...perProcess) / Math.max(...perProcess);
}
