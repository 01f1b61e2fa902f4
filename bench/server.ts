import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { Contender } from './server/contender.js';
import { type FanOutMeasurement, measureFanOut } from './server/fan-out.js';
import { writeProject } from './server/folder.js';
import { ANSWERS, type HttpMeasurement, measureHttp, OPEN } from './server/measure.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

/** Every listing reads recently changed files again; after this pause the files are old enough to be trusted. */
const SETTLE_MS = 500;

const options = readOptions(process.argv.slice(2));
const folder = makeWorkFolder(diskFolder());
const questions = OPEN + (options.rounds + 1) * ANSWERS;
console.error(`[1/3] ${questions} questions`);
const roots = {
  ours: writeProject(join(folder, 'ours'), questions),
  bare: writeProject(join(folder, 'bare'), questions),
};
await sleep(SETTLE_MS);
const ours = await Contender.start('ours', roots.ours);
const bare = await Contender.start('bare', roots.bare);
console.error('[2/3] answers and pages');
const http = await measureHttp({ ours, bare }, options.rounds);
console.error('[3/3] fan-out');
const fanOut = [await measureFanOut(bare, options.rounds), await measureFanOut(ours, options.rounds)];
for (const contender of [ours, bare]) contender.stop();

const ratioOf = (what: HttpMeasurement['what']) => http.find((one) => one.what === what)?.ratio ?? Number.NaN;
const targets = [
  target('answers per second: ours / bare hono with the same I/O', '>=', 0.6, ratioOf('answers')),
  target('pages per second of 10,000 open: ours / bare hono', '>=', 0.6, ratioOf('pages')),
];
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'server', machine: describeMachine(), options, http, fanOut, targets }, null, 2)
    : [formatHttp(http), formatFanOut(fanOut), formatTargets(targets)].join('\n\n'),
);
process.exit();

function formatHttp(all: readonly HttpMeasurement[]): string {
  const rows = all.map(({ what, ours: our, bare: their, ratio }) => [what, ...[our, their, ratio].map(formatNumber)]);
  return formatTable(['per second', 'ours', 'bare hono', 'ours / bare'], rows);
}

function formatFanOut(all: readonly FanOutMeasurement[]): string {
  const rows = all.map(({ name, clients, spread, latency, kilobytesPerClient }) => [
    name === 'ours' ? 'ours' : 'bare ws',
    String(clients),
    ...[spread, latency, kilobytesPerClient].map(formatNumber),
  ]);
  return formatTable(['one event', 'clients', 'first to last ms', 'change to last ms', 'KB per client'], rows);
}
