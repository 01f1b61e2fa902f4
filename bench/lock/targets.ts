import { medianRatio, sum } from '../statistics.js';
import { type Target, target } from '../target.js';
import { caseName, QUEUED } from './cases.js';
import type { ContenderName } from './contender.js';
import type { Measurement } from './measure.js';

export interface Ratios {
  readonly case: string;
  /** Throughput of ours as a multiple of each peer's. */
  readonly throughput: Partial<Record<ContenderName, number>>;
  /** p99 of ours as a multiple of each peer's. */
  readonly p99: Partial<Record<ContenderName, number>>;
}

export function ratiosOf(measurements: readonly Measurement[]): Ratios[] {
  return [...new Set(measurements.map((measurement) => measurement.case))].map((name) => {
    const all = measurements.filter((measurement) => measurement.case === name);
    const ours = all.find(({ contender }) => contender === 'ours');
    const peers = all.filter((measurement) => measurement !== ours);
    const throughput = (peer: Measurement): number => medianRatio(ours?.throughputs ?? [], peer.throughputs);
    const p99 = (peer: Measurement): number => (ours?.p99 ?? Number.NaN) / peer.p99;
    return {
      case: name,
      throughput: Object.fromEntries(peers.map((peer) => [peer.contender, throughput(peer)])),
      p99: Object.fromEntries(peers.map((peer) => [peer.contender, p99(peer)])),
    };
  });
}

/** The rows about the lock of the table "Scale that must hold". */
export function targetsOf(measurements: readonly Measurement[], ratios: readonly Ratios[]): Target[] {
  const ratio = (name: string): Ratios | undefined => ratios.find((row) => row.case === name);
  const throughput = (name: string, peer: ContenderName): number => ratio(name)?.throughput[peer] ?? Number.NaN;
  const ours = measurements.filter(({ contender }) => contender === 'ours');
  const oursIn = (name: string): Measurement | undefined => ours.find((measurement) => measurement.case === name);
  const alone = caseName(1, false);
  return [
    target(`${alone}: throughput / flock limit`, '>=', 0.75, throughput(alone, 'flock')),
    ...[false, true].flatMap((sync) => {
      const [nameOfEight, nameOfMany] = [caseName(8, sync), caseName(32, sync)];
      return [
        target(`${nameOfEight}: throughput / flock limit`, '>=', 0.45, throughput(nameOfEight, 'flock')),
        target(`${nameOfEight}: throughput / proper-lockfile`, '>=', 5, throughput(nameOfEight, 'proper-lockfile')),
        target(
          `${nameOfEight}: p99 / proper-lockfile`,
          '<=',
          0.35,
          ratio(nameOfEight)?.p99['proper-lockfile'] ?? Number.NaN,
        ),
        target(`${nameOfEight}: slowest / fastest process`, '>=', 0.5, oursIn(nameOfEight)?.fairness ?? Number.NaN),
        target(`${nameOfMany}: throughput / flock limit`, '>=', 0.5, throughput(nameOfMany, 'flock')),
        target(`${nameOfMany}: timeouts`, '=', 0, oursIn(nameOfMany)?.timeouts ?? Number.NaN),
      ];
    }),
    target(`${QUEUED}: throughput / SQLite WAL full sync`, '>=', 10, throughput(QUEUED, 'sqlite')),
    target('all cases: lost updates', '=', 0, sum(ours.map(({ lost }) => lost))),
    target('all cases: unreadable reads', '=', 0, sum(ours.map(({ unreadable }) => unreadable))),
    target('all cases: failures', '=', 0, sum(ours.map(({ failures }) => failures))),
  ];
}
