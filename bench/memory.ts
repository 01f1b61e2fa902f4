import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Observation, toIndex } from '../src/protocol/observation.js';
import { SearchIndex } from '../src/search/search-index.js';
import { decodeIndex, parseManifest } from '../src/search/stored-index.js';
import { openFileStore } from '../src/storage/files/store.js';
import { describeMachine } from './machine.js';
import { type Contender, flexSearch, fts5, indexOf, miniSearch, ours, scan } from './memory/contenders.js';
import { naturalCorpus, naturalQueries } from './memory/natural-corpus.js';
import { type LabelledSet, labelledSets } from './memory/questions.js';
import { templateCorpus, templateQueries } from './memory/template-corpus.js';
import { readOptions } from './options.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, type Target, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

const options = readOptions(process.argv.slice(2));
const folder = makeWorkFolder(diskFolder());
const SIZES = [10_000, 50_000];
const LIMIT = 20;
const WARM_BATCHES = 10;
const QUERIES = 200;
const BURST = 40;

const searches = [
  ...SIZES.map((count) => {
    const corpus = naturalCorpus(count);
    return measureSearches('natural', corpus, naturalQueries(corpus, QUERIES));
  }),
  measureSearches('template', templateCorpus(50_000), templateQueries(QUERIES)),
];
const quality = measureQuality();
const disk = await measureDisk(50_000);
const targets = targetsOf();
console.log(
  options.json
    ? JSON.stringify(
        { benchmark: 'memory', machine: describeMachine(), options, searches, quality, disk, targets },
        null,
        2,
      )
    : report(),
);

interface Latency {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
}

/**
 * In bursts of queries, as a person who types or an agent that asks searches between other work: what the others read
 * meanwhile has taken the processor's caches. Each round begins with another contender; the first is thrown away.
 */
function measureSearches(kind: 'natural' | 'template', corpus: readonly Observation[], queries: readonly string[]) {
  console.error(`searching ${corpus.length} ${kind} observations`);
  const index = indexOf(corpus);
  const searchers = [ours(index), fts5(corpus), miniSearch(corpus), flexSearch(corpus), scan(corpus)].map(
    ({ name, search }) => ({ name, search, times: [] as number[], next: 0 }),
  );
  for (let round = 0; round <= options.rounds * 2; round++) {
    const first = round % searchers.length;
    for (const searcher of [...searchers.slice(first), ...searchers.slice(0, first)]) {
      if (round === 1) searcher.times = [];
      for (let turn = 0; turn < BURST; turn++) {
        const query = queries[searcher.next++ % queries.length] ?? '';
        searcher.times.push(timed(() => searcher.search(query, LIMIT)));
      }
    }
  }
  const matching = queries.map((query) => index.search(query, {}, 1).total);
  const latencies: readonly Latency[] = searchers.map(({ name, times }) => ({
    name,
    p50: share(times, 0.5),
    p95: share(times, 0.95),
  }));
  return { kind, count: corpus.length, matching: share(matching, 0.5), latencies };
}

/** The notes of all labelled sets together among many others; the first set also where it was measured first. */
function measureQuality() {
  const sets = labelledSets();
  const [first, ...others] = sets;
  if (first === undefined) throw new Error('there are no labelled sets');
  return [
    ...qualityOf([first], templateCorpus(5_000), ' among templates'),
    ...qualityOf([first, ...others], naturalCorpus(5_000)),
  ];
}

function qualityOf(sets: readonly LabelledSet[], others: readonly Observation[], corpusName = '') {
  const corpus = [...others, ...sets.flatMap(({ observations }) => observations)];
  const contenders = [scan(corpus), fts5(corpus), miniSearch(corpus), ours(indexOf(corpus))];
  return sets.flatMap(({ name, questions }) =>
    contenders.map((contender) => ({
      set: `${name}${corpusName} (${questions.length})`,
      name: contender.name,
      ...foundBy(contender, questions),
    })),
  );
}

function foundBy({ search }: Contender, questions: LabelledSet['questions']) {
  const ranks = questions.map(({ question, answer }) => search(question, 50).indexOf(answer) + 1);
  const within = (limit: number) => ranks.filter((rank) => rank > 0 && rank <= limit).length / ranks.length;
  const mrr = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length;
  return { recall5: within(5), recall10: within(10), mrr };
}

async function measureDisk(count: number) {
  console.error(`writing ${count} observations`);
  const corpus = naturalCorpus(count);
  const root = join(folder, '.agentx');
  const filling = openFileStore({ root, sync: false });
  await filling.observations.store(corpus);
  await filling.observations.rebuild();
  await filling.close();
  const seedManifest = join(folder, 'seed-manifest.json');
  writeFileSync(seedManifest, JSON.stringify({ version: 1, updatedAt: '', entries: corpus.map(toIndex) }, null, 2));
  const manifest = join(root, 'memory/manifest.json');
  const searchFile = join(
    root,
    'state/index',
    readdirSync(join(root, 'state/index')).find((name) => name.endsWith('.bin')) ?? '',
  );
  // Later commands may save another one in its place.
  const sizes = {
    manifestBytes: statSync(manifest).size,
    searchBytes: statSync(searchFile).size,
    seedManifestBytes: statSync(seedManifest).size,
    storeBytes: (await openFileStore({ root }).observations.getStats()).bytes,
  };
  const load = { ours: [] as number[], seed: [] as number[] };
  for (let round = 0; round < options.rounds; round++) {
    load.ours.push(
      timed(() => new SearchIndex(decodeIndex(parseManifest(readFileSync(manifest)), readFileSync(searchFile)))),
    );
    load.seed.push(timed(() => JSON.parse(readFileSync(seedManifest, 'utf8'))));
  }
  const storedFigures = await measureKept(root);
  const batch = await measureBatch(root, seedManifest);
  const command = measureCommand();
  return {
    ...sizes,
    loadMs: share(load.ours, 0.5),
    seedLoadMs: share(load.seed, 0.5),
    ...storedFigures,
    ...batch,
    ...command,
  };
}

/** An index that is in memory already, and one issue file with its hundred observations. */
async function measureKept(root: string) {
  const { observations } = openFileStore({ root });
  await observations.search('warm');
  const [cachedTimes, fileTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < options.rounds * 10; round++) {
    const started = performance.now();
    await observations.list({ issueNumber: 999_999, limit: 1 });
    cachedTimes.push(performance.now() - started);
    const openedStore = openFileStore({ root });
    const reading = performance.now();
    await openedStore.observations.getByIssue(1 + round);
    fileTimes.push(performance.now() - reading);
  }
  return { cachedMs: share(cachedTimes, 0.5), issueFileMs: share(fileTimes, 0.5) };
}

/** Both synced, as a user's writes are. The first batches of a process, which compile what others run, are told apart. */
async function measureBatch(root: string, seedManifest: string) {
  const store = openFileStore({ root });
  await store.observations.search('warm');
  const batch = { ours: [] as number[], seed: [] as number[] };
  for (let round = 0; round < WARM_BATCHES + options.rounds * 4; round++) {
    const fifty = naturalCorpus(50).map((one, number) => ({
      ...one,
      issueNumber: 100 + round,
      id: `obs-engineer-${100 + round}-${1_790_000_000_000 + round}-${number.toString(36).padStart(6, 'z')}`,
    }));
    const started = performance.now();
    await store.observations.store(fifty);
    batch.ours.push(performance.now() - started);
    batch.seed.push(
      timed(() => {
        const { entries, ...rest } = JSON.parse(readFileSync(seedManifest, 'utf8'));
        const next = JSON.stringify({ ...rest, entries: [...entries, ...fifty.map(toIndex)] }, null, 2);
        writeFileSync(seedManifest, next, { flush: true });
      }),
    );
  }
  await store.close();
  return {
    firstBatchesMs: share(batch.ours.slice(0, WARM_BATCHES), 0.5),
    batchMs: share(batch.ours.slice(WARM_BATCHES), 0.5),
    seedBatchMs: share(batch.seed, 0.5),
  };
}

/**
 * `agentx hook start` with everything that it recalls, against a bare Node. The board does not have the first issue, so
 * only its own observations are recalled. The title of the second leads to observations of many other issues.
 */
function measureCommand() {
  const program = resolve('dist/agentx.cjs');
  const env = { PATH: process.env.PATH, HOME: folder };
  const run = (...args: readonly string[]) => timed(() => spawnSync(process.execPath, args, { cwd: folder, env }));
  mkdirSync(folder, { recursive: true });
  run(program, 'init');
  run(program, 'issue', 'create', '-t', 'The payment service loses the order when a request times out');
  run(program, 'hook', 'start', 'engineer', '7');
  const [hook, related, bare]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < options.rounds * 3; round++) {
    bare.push(run('-e', '0'));
    hook.push(run(program, 'hook', 'start', 'engineer', '7'));
    related.push(run(program, 'hook', 'start', 'engineer', '1'));
  }
  return { hookMs: share(hook, 0.5), relatedMs: share(related, 0.5), bareNodeMs: share(bare, 0.5) };
}

function targetsOf(): readonly Target[] {
  const latency = (name: string, count = 50_000, kind = 'natural') =>
    searches.find((one) => one.count === count && one.kind === kind)?.latencies.find((one) => one.name === name) ?? {
      p50: Number.NaN,
      p95: Number.NaN,
    };
  const [ownLatency, sqlite, seed] = [latency('AgentX'), latency('better-sqlite3 FTS5'), latency("the seed's scan")];
  const heldOut = (name: string) => {
    const results = quality.filter((one) => one.name === name && one.set.includes('held out'));
    return results.reduce((sum, { recall10 }) => sum + recall10, 0) / results.length;
  };
  return [
    target('search at 50,000: FTS5 / ours, p50 [ME-1/41]', '>=', 10, sqlite.p50 / ownLatency.p50),
    target("search at 50,000: seed's scan / ours, p50 [ME-1/41]", '>=', 200, seed.p50 / ownLatency.p50),
    target("search at 50,000: seed's scan / ours, p95", '>=', 50, seed.p95 / ownLatency.p95),
    target('search at 10,000, p95 in ms [ME-1/30]', '<=', 200, latency('AgentX', 10_000).p95),
    target("cold load at 50,000: ours / JSON.parse of the seed's manifest", '<=', 0.5, disk.loadMs / disk.seedLoadMs),
    target(
      "batch of 50 at 50,000: rewriting the seed's manifest / ours [ME-1/42]",
      '>=',
      100,
      disk.seedBatchMs / disk.batchMs,
    ),
    target('cold load at 50,000, in ms [ME-1/32]', '<=', 100, disk.loadMs),
    target('index in memory, in ms [ME-1/33]', '<=', 1, disk.cachedMs),
    target('one issue file, in ms [ME-1/34]', '<=', 20, disk.issueFileMs),
    target('search at 50,000, p95 in ms [ME-1/37]', '<=', 200, ownLatency.p95),
    target('hook start at 50,000, in ms [ME-5/5]', '<=', 500, disk.hookMs),
    target('batch of 50, in ms [ME-1/31]', '<=', 50, disk.batchMs),
    target('hook start at 50,000 / node -e 0 [ME-5/11]', '<=', 3, disk.hookMs / disk.bareNodeMs),
    target('the same, recalling from many issues / node -e 0', '<=', 3, disk.relatedMs / disk.bareNodeMs),
    target('manifest of 50,000, in MB [ME-1/36]', '<=', 3, disk.manifestBytes / 1e6),
    target('store of 50,000, in MB [ME-1/35]', '<=', 50, disk.storeBytes / 1e6),
    target('recall@10 held out, ours / BM25 [ME-1/40]', '>=', 1, heldOut('AgentX') / heldOut('better-sqlite3 FTS5')),
  ];
}

function report(): string {
  const tables = searches.map(({ kind, count, matching, latencies }) =>
    formatTable(
      [`${count} ${kind} observations, of which half of the queries match ${matching}`, 'p50 ms', 'p95 ms'],
      latencies.map(({ name, p50, p95 }) => [name, formatNumber(p50), formatNumber(p95)]),
    ),
  );
  const qualityTable = formatTable(
    ['questions', '', 'recall@5', 'recall@10', 'MRR'],
    quality.map(({ set, name, recall5, recall10, mrr }) => [
      set,
      name,
      formatNumber(recall5),
      formatNumber(recall10),
      formatNumber(mrr),
    ]),
  );
  const sizes = formatTable(
    ['50,000 observations', ''],
    Object.entries(disk).map(([name, value]) => [name, formatNumber(value)]),
  );
  return [...tables, qualityTable, sizes, formatTargets(targets)].join('\n\n');
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function share(times: readonly number[], part: number): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length * part)] ?? Number.NaN;
}
