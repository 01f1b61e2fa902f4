import { join } from 'node:path';
import { CONTENDERS } from './hub/contender.js';
import { type ListingMeasurement, measureListing } from './hub/listing.js';
import { type Case, type Measurement, measure } from './hub/measure.js';
import { type Ratio, ratiosOf, targetsOf } from './hub/targets.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

const PEERS = ['langgraph', 'langgraph-full', 'ai-sdk'] as const;

const CASES: readonly Case[] = [
  { name: 'clarification cycle', lanes: 1, isShared: false, contenders: ['ours', 'bare'] },
  { name: 'clarification cycle, 32 on one ledger', lanes: 32, isShared: true, contenders: ['ours', 'bare'] },
  { name: 'clarification cycle, 32 ledgers', lanes: 32, isShared: false, contenders: ['ours', 'bare'] },
  { name: 'question cycle', lanes: 1, isShared: false, contenders: ['ours-question', 'bare-question', ...PEERS] },
  {
    name: 'question cycle, 32 at once',
    lanes: 32,
    isShared: false,
    contenders: ['ours-question', 'bare-question', ...PEERS],
  },
];

const options = readOptions(process.argv.slice(2));
// Twice as many slices as in the other benchmarks: a p99 of one slice rests on few cycles.
const timing = { rounds: 2 * options.rounds, sliceMs: (options.seconds * 1000) / options.rounds };
const folder = makeWorkFolder(diskFolder());
const measurements: Measurement[] = [];
// First, while this process is as small as a command is.
console.error(`[1/${CASES.length + 1}] listing`);
const listing = await measureListing(join(folder, 'listing'), options.rounds);
for (const [index, theCase] of CASES.entries()) {
  console.error(`[${index + 2}/${CASES.length + 1}] ${theCase.name}`);
  measurements.push(...(await measure(theCase, join(folder, String(index)), timing)));
}
const ratios = ratiosOf(measurements);
const targets = targetsOf(CASES, ratios, listing);
console.log(
  options.json
    ? JSON.stringify(
        { benchmark: 'hub', machine: describeMachine(), timing, measurements, ratios, listing, targets },
        null,
        2,
      )
    : [formatCycles(measurements, ratios), formatListing(listing), formatTargets(targets)].join('\n\n'),
);

function formatCycles(all: readonly Measurement[], ratios: readonly Ratio[]): string {
  const header = ['cycle', 'by', 'cycles/s', 'p50 ms', 'p99 ms', 'ours / this', 'p99 ours / this'];
  const rows = all.map(({ case: name, contender, throughput, p50, p99 }) => {
    const { title } = CONTENDERS[contender];
    const ratio = ratios.find((one) => one.case === name && one.against === title);
    const numbers = [throughput, p50, p99, ratio?.throughput ?? Number.NaN, ratio?.p99 ?? Number.NaN];
    return [name, title, ...numbers.map(formatNumber)];
  });
  return formatTable(header, rows);
}

function formatListing(listing: ListingMeasurement): string {
  const { questions, files, stats, same, fresh, whole, statsRatio, sameRatio, freshRatio, wholeRatio } = listing;
  const header = ['pending questions', 'reading files ms'];
  for (const what of ['looking at files', 'same store', 'new store', 'new store, whole'])
    header.push(`${what} ms`, 'ratio');
  const numbers = [files, stats, statsRatio, same, sameRatio, fresh, freshRatio, whole, wholeRatio];
  return formatTable(header, [[String(questions), ...numbers.map(formatNumber)]]);
}
