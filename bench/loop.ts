import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bare } from './loop/bare.js';
import { langgraph, langgraphFull } from './loop/langgraph.js';
import { ours } from './loop/ours.js';
import { STEPS } from './loop/work.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { median, medianRatio } from './statistics.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

/* One step of a loop on a model: a reply with a call, the call, and whatever the loop does beside it. */

const options = readOptions(process.argv.slice(2));
const folder = makeWorkFolder(diskFolder());
const server = fork(fileURLToPath(new URL('loop-server.js', import.meta.url)));
const { url } = await new Promise<{ url: string }>((resolve, reject) => {
  server.once('message', (message) => resolve({ url: String(Object(message).url) }));
  server.once('error', reject);
});

const contenders = [ours, bare, langgraph, langgraphFull];
const entries = [];
for (const [index, contender] of contenders.entries()) {
  const ownFolder = join(folder, String(index));
  mkdirSync(join(ownFolder, '.agentx'), { recursive: true });
  entries.push({ title: contender.title, turn: await contender.open(url, ownFolder), times: [] as number[] });
}

const ROUNDS = 4 * options.rounds;
const WARM_UP = options.rounds;
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (let place = 0; place < entries.length; place++) {
    const entry = entries[(round + place) % entries.length];
    const turns = Math.max(1, Math.round(options.seconds));
    const startedAt = performance.now();
    for (let turn = 0; turn < turns; turn++) await entry?.turn();
    if (round >= WARM_UP) entry?.times.push((performance.now() - startedAt) / turns / STEPS);
  }
}
server.disconnect();

const [first, second, ...peers] = entries;
const measurements = entries.map(({ title, times }) => ({ title, msPerStep: median(times), times }));
const ratio = medianRatio(first?.times ?? [], second?.times ?? []);
const targets = [target('a durable step of ours, of one of the bare loop', '<=', 1.3, ratio)];
const report = [
  formatTable(
    ['loop', 'ms per step', 'ours / this'],
    measurements.map(({ title, msPerStep, times }) => [
      title,
      formatNumber(msPerStep),
      formatNumber(medianRatio(first?.times ?? [], times)),
    ]),
  ),
  formatTargets(targets),
].join('\n\n');
console.log(
  options.json
    ? JSON.stringify(
        {
          benchmark: 'loop',
          machine: describeMachine(),
          steps: STEPS,
          peers: peers.length,
          measured: measurements,
          targets,
        },
        null,
        2,
      )
    : report,
);
process.exit(0);
