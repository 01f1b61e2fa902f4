import { medianRatio } from '../statistics.js';
import { type Target, target } from '../target.js';
import { CONTENDERS } from './contender.js';
import type { ListingMeasurement } from './listing.js';
import type { Case, Measurement } from './measure.js';

/** The share of the bare updates that each case must reach. */
const WANTED = { alone: 0.75, separate: 0.7, shared: 3 };
const P99_LIMIT = 1.3;

export interface Ratio {
  readonly case: string;
  readonly against: string;
  readonly throughput: number;
  readonly p99: number;
}

export function ratiosOf(measurements: readonly Measurement[]): Ratio[] {
  return [...new Set(measurements.map((one) => one.case))].flatMap((name) => {
    const [ours, ...others] = measurements.filter((one) => one.case === name);
    return others.map((other) => ({
      case: name,
      against: CONTENDERS[other.contender].title,
      throughput: medianRatio(ours?.throughputs ?? [], other.throughputs),
      p99: medianRatio(ours?.p99s ?? [], other.p99s),
    }));
  });
}

export function targetsOf(cases: readonly Case[], ratios: readonly Ratio[], listing: ListingMeasurement): Target[] {
  const perCase = cases.flatMap(({ name, lanes, isShared }) => {
    const [bare, ...peers] = ratios.filter((ratio) => ratio.case === name);
    const wantedRatio = lanes === 1 ? WANTED.alone : isShared ? WANTED.shared : WANTED.separate;
    return [
      target(`${name}: throughput / bare updates`, '>=', wantedRatio, bare?.throughput ?? Number.NaN),
      ...(lanes === 1 ? [target(`${name}: p99 / bare updates`, '<=', P99_LIMIT, bare?.p99 ?? Number.NaN)] : []),
      ...peers.map(({ against, throughput }) => target(`${name}: throughput / ${against}`, '>=', 1, throughput)),
    ];
  });
  const what = `${listing.questions} pending questions listed`;
  return [
    ...perCase,
    target(`${what} / reading all files`, '<=', 0.15, listing.sameRatio),
    target(`${what} by a new command / reading all files`, '<=', 0.15, listing.freshRatio),
  ];
}
