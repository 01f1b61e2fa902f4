import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../src/app/create-app.js';
import { initFolder } from '../src/app/init.js';
import { describeMachine } from './machine.js';
import { measureHttp } from './mcp/http-clients.js';
import { StdioClient } from './mcp/stdio-client.js';
import { readOptions } from './options.js';
import { median, medianRatio, quantile } from './statistics.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, target } from './target.js';
import { diskFolder, makeWorkFolder, memoryFolder } from './work-folder.js';

const BARE = [process.execPath, fileURLToPath(new URL('./mcp-bare.js', import.meta.url))];
const WORKER = fileURLToPath(new URL('./mcp-worker.js', import.meta.url));
const BARE_HTTP = [process.execPath, fileURLToPath(new URL('./mcp-http-bare.js', import.meta.url))];
const SERVE = [process.execPath, resolve('dist/agentx.cjs'), 'serve', '--port', '0'];
const AGENTX = [process.execPath, resolve('dist/agentx.cjs'), 'mcp'];
/** Issues take turns, so that a ledger is as large as in a project and not as the benchmark is long. */
const ISSUES = 50;
const WARM_UP = 50;
const STARTS = 4;

const options = readOptions(process.argv.slice(2));
console.error('[1/3] starts');
const starts = await measureStarts(makeWorkFolder(diskFolder()));
console.error('[2/3] round trips');
const trips = await measureTrips();
console.error('[3/3] clients over HTTP');
const http = await measureClients();
const targets = [
  target('agentx mcp ready to serve / bare SDK server', '<=', 2.5, starts.ratio),
  target('request_clarification, no sync / bare echo', '<=', 2, trips.unsynced.ratio),
];
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'mcp', machine: describeMachine(), options, starts, trips, http, targets }, null, 2)
    : [formatStarts(), formatTrips(), formatHttp(), formatTargets(targets)].join('\n\n'),
);
process.exit();

async function measureStarts(folder: string) {
  await makeProject(folder);
  const ourTimes: number[] = [];
  const bareTimes: number[] = [];
  for (let round = 0; round <= options.rounds * STARTS; round++) {
    const [one, other] = [await startTime(BARE, folder), await startTime(AGENTX, folder)];
    // The first start finds nothing in the caches of the system.
    if (round === 0) continue;
    bareTimes.push(one);
    ourTimes.push(other);
  }
  return { ours: median(ourTimes), bare: median(bareTimes), ratio: medianRatio(ourTimes, bareTimes) };
}

async function startTime(command: readonly string[], cwd: string): Promise<number> {
  const started = performance.now();
  const client = new StdioClient(command, { cwd });
  await client.introduce();
  const time = performance.now() - started;
  client.end();
  return time;
}

interface Trip {
  readonly name: string;
  readonly once: (count: number) => Promise<unknown>;
  readonly times: number[];
  /** The median of each round. */
  readonly rounds: number[];
}

async function measureTrips() {
  const folders = { unsynced: makeWorkFolder(memoryFolder()), synced: makeWorkFolder(diskFolder()) };
  const bare = await contender('bare echo', BARE, folders.synced, (client, count) =>
    client.call('echo', { text: `Two adapters, or migrate? ${count}` }),
  );
  const [unsynced, synced] = [
    await contender('request_clarification, no sync', await ours(folders.unsynced), folders.unsynced, ask),
    await contender('request_clarification, synced', await ours(folders.synced), folders.synced, ask),
  ];
  const all = [bare, unsynced, synced];
  let count = 0;
  for (const { once } of all) for (let i = 0; i < WARM_UP; i++) await once(count++);
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < all.length; turn++) {
      const trip = all[(round + turn) % all.length];
      if (trip === undefined) continue;
      const endAt = performance.now() + (options.seconds * 1000) / options.rounds;
      const times: number[] = [];
      while (performance.now() < endAt) {
        const started = performance.now();
        await trip.once(count++);
        times.push(performance.now() - started);
      }
      trip.times.push(...times);
      trip.rounds.push(median(times));
    }
  }
  const figures = ({ name, times, rounds }: Trip) => ({
    name,
    p50: median(times),
    p99: quantile(times, 0.99),
    trips: times.length,
    ratio: medianRatio(rounds, bare.rounds),
  });
  return { bare: figures(bare), unsynced: figures(unsynced), synced: figures(synced) };
}

async function contender(
  name: string,
  command: readonly string[],
  cwd: string,
  once: (client: StdioClient, count: number) => Promise<unknown>,
): Promise<Trip> {
  const client = new StdioClient(command, { cwd });
  await client.introduce();
  return { name, once: (count) => once(client, count), times: [], rounds: [] };
}

async function ours(folder: string): Promise<readonly string[]> {
  return [process.execPath, WORKER, await makeProject(folder)];
}

async function ask(client: StdioClient, count: number): Promise<void> {
  const { structuredContent } = await client.call('request_clarification', {
    to: 'architect',
    topic: `Database layer ${count}`,
    question: `Two adapters, or migrate? ${count}`,
    issue: (count % ISSUES) + 1,
  });
  if (structuredContent?.answer !== 'Two adapters.') throw new Error(JSON.stringify(structuredContent));
}

/** Returns its `.agentx` folder. */
async function makeProject(folder: string): Promise<string> {
  const { root } = initFolder({ repository: join(folder, 'project') });
  const app = createApp({ root });
  for (let issue = 0; issue < ISSUES; issue++)
    await app.createIssue({ title: `Issue ${issue}`, labels: ['type:feature'] });
  await app.close();
  return root;
}

/** A tool that reads, so that the two differ in what they are and not in the disk. */
async function measureClients() {
  const cwd = makeWorkFolder(diskFolder());
  await makeProject(cwd);
  const project = join(cwd, 'project');
  return measureHttp(
    {
      ours: { command: [...SERVE], cwd: project, tool: 'get_issue', args: { issue: 1 } },
      bare: { command: BARE_HTTP, cwd: project, tool: 'echo', args: { text: 'Issue 0' } },
    },
    options.rounds,
    (options.seconds * 1000) / options.rounds,
  );
}

function formatHttp(): string {
  const row = [`${http.clients} clients at once`, ...[http.ours, http.bare, http.ratio].map(formatNumber)];
  return formatTable(['calls per second over HTTP', 'get_issue', 'bare echo', 'ours / bare'], [row]);
}

function formatStarts(): string {
  const row = ['ready to serve', ...[starts.ours, starts.bare, starts.ratio].map(formatNumber)];
  return formatTable(['start', 'agentx mcp ms', 'bare SDK server ms', 'ratio'], [row]);
}

function formatTrips(): string {
  const rows = [trips.bare, trips.unsynced, trips.synced].map(({ name, trips: count, p50, p99, ratio }) => [
    name,
    ...[count, p50, p99, ratio].map(formatNumber),
  ]);
  return formatTable(['one client over stdio', 'round trips', 'p50 ms', 'p99 ms', 'ours / bare'], rows);
}
