import { join } from 'node:path';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { SWEEPS } from './sweep/contenders.js';
import { writeLedgers } from './sweep/ledgers.js';
import { measureSweeps, type SweepMeasurement } from './sweep/measure.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, type Target, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

const SIZES = [10, 1_000, 10_000];

const options = readOptions(process.argv.slice(2));
const sliceMs = (options.seconds * 1000) / options.rounds / SWEEPS.length;
const folder = makeWorkFolder(diskFolder());
const measurements: SweepMeasurement[] = [];
for (const [index, count] of SIZES.entries()) {
  console.error(`[${index + 1}/${SIZES.length}] ${count} ledgers`);
  measurements.push(await measureSweeps(writeLedgers(join(folder, String(count)), count), options.rounds, sliceMs));
}
const targets = targetsOf(measurements);
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'sweep', machine: describeMachine(), options, measurements, targets }, null, 2)
    : `${formatMeasurements(measurements)}\n\n${formatTargets(targets)}`,
);

function targetsOf(all: readonly SweepMeasurement[]): Target[] {
  const ratios = all.find(({ ledgers }) => ledgers === 10_000)?.ratios;
  return [
    target('10,000 ledgers, one process: listing / readdir + stat [US-5.4/13]', '<=', 2, ratios?.kept ?? Number.NaN),
    target('10,000 ledgers, new store: listing / readdir + stat', '<=', 2, ratios?.fresh ?? Number.NaN),
  ];
}

function formatMeasurements(all: readonly SweepMeasurement[]): string {
  const header = [
    'ledgers',
    'active',
    'readdir + stat',
    'same store',
    'ratio',
    'new store',
    'ratio',
    'no index',
    'ratio',
  ];
  const rows = all.map(({ ledgers, active, milliseconds, ratios }) => [
    String(ledgers),
    String(active),
    `${formatNumber(milliseconds.bare)} ms`,
    ...(['kept', 'fresh', 'first'] as const).flatMap((name) => [
      `${formatNumber(milliseconds[name])} ms`,
      formatNumber(ratios[name]),
    ]),
  ]);
  return formatTable(header, rows);
}
