import { formatNumber, formatTable } from '../table.js';
import { formatTargets, type Target } from '../target.js';
import { CONTENDERS } from './contender.js';
import type { Measurement } from './measure.js';
import type { Ratios } from './targets.js';

export function formatReport(
  measurements: readonly Measurement[],
  ratios: readonly Ratios[],
  targets: readonly Target[],
): string {
  const cases = ratios.map((row) =>
    formatCase(
      row.case,
      measurements.filter(({ case: name }) => name === row.case),
    ),
  );
  return [...cases, formatRatios(ratios), formatTargets(targets), ...formatFailures(measurements)].join('\n\n');
}

function formatCase(name: string, measurements: readonly Measurement[]): string {
  const header = [
    name,
    'updates/s',
    'p50 ms',
    'p99 ms',
    'fairness',
    'timeouts',
    'failures',
    'lost',
    'unreadable reads',
  ];
  const rows = measurements.map((row) => [
    CONTENDERS[row.contender],
    formatNumber(row.throughput),
    formatNumber(row.p50),
    formatNumber(row.p99),
    formatNumber(row.fairness),
    String(row.timeouts),
    String(row.failures),
    String(row.lost),
    `${row.unreadable} of ${row.reads}`,
  ]);
  return formatTable(header, rows);
}

function formatRatios(ratios: readonly Ratios[]): string {
  const peers = ['flock', 'proper-lockfile', 'sqlite', 'seed'] as const;
  const header = ['ours as a multiple of', ...peers, ...peers.map((peer) => `p99 ${peer}`)];
  const rows = ratios.map((row) => [
    row.case,
    ...peers.map((peer) => formatNumber(row.throughput[peer] ?? Number.NaN)),
    ...peers.map((peer) => formatNumber(row.p99[peer] ?? Number.NaN)),
  ]);
  return formatTable(header, rows);
}

function formatFailures(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ contender, case: name, firstFailure }) =>
    firstFailure === undefined ? [] : [`First failure of ${CONTENDERS[contender]} in "${name}":\n${firstFailure}`],
  );
}
