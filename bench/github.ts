import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Octokit } from '@octokit/core';
import { createApp } from '../src/app/create-app.js';
import { layoutOf } from '../src/storage/files/layout.js';
import { TOKEN } from '../test/github/token.js';
import { startAgentx } from './cli/programs.js';
import type { FreshRepository, SentRequest, ServerReport } from './github/work.js';
import { ledgerToText, makeLedger } from './ledger.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { median, medianRatio } from './statistics.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

/*
 * A hundred rounds that GitHub does not have yet. One sync is compared with the same requests alone, and with the
 * plainest way to lose none of them: each is on the disk before it is sent.
 */

const ISSUES = 10;
const ROUNDS_EACH = 10;
/** GitHub itself takes several times as long. */
const LATENCIES = [0, 20];

const options = readOptions(process.argv.slice(2));
const folder = makeWorkFolder(diskFolder());
const server = fork(fileURLToPath(new URL('github-server.js', import.meta.url)));
let [{ url = '' }] = await messageOf(server);
const preparedFolder = join(folder, 'prepared');
prepare(preparedFolder);

const measurements = [];
for (const latencyMs of LATENCIES) {
  const ourTimes: number[] = [];
  const bareTimes: number[] = [];
  const outboxTimes: number[] = [];
  let requests: readonly SentRequest[] = [];
  for (let round = 0; round <= options.rounds; round++) {
    console.error(round === 0 ? `Warming up (${latencyMs} ms)` : `[${round}/${options.rounds}]`);
    const copy = join(folder, 'copy');
    cpSync(preparedFolder, copy, { recursive: true });
    await askServer({ issues: ISSUES, latencyMs });
    const ownTime = await timed(() => syncOnce(join(copy, '.agentx')));
    const { requests: sent = [], violations = [] } = await askServer('requests');
    if (violations.length > 0) throw new Error(violations.join('\n'));
    requests = sent;
    rmSync(copy, { recursive: true });
    await askServer({ issues: ISSUES, latencyMs });
    const other = await timed(() => sendAll(sent));
    await askServer({ issues: ISSUES, latencyMs });
    const outbox = openSync(join(folder, 'outbox'), 'w');
    const withNotes = await timed(() =>
      sendAll(sent, (text) => {
        writeSync(outbox, text);
        fdatasyncSync(outbox);
      }),
    );
    closeSync(outbox);
    if (round === 0) continue;
    ourTimes.push(ownTime);
    bareTimes.push(other);
    outboxTimes.push(withNotes);
  }
  const postedCount = requests.filter(({ route }) => /^POST .*\/comments$/.test(route)).length;
  const ratio = medianRatio(bareTimes, ourTimes);
  measurements.push({
    latencyMs,
    requests: requests.length,
    posted: postedCount,
    ours: ourTimes,
    bare: bareTimes,
    noted: outboxTimes,
    ratio,
  });
}
server.disconnect();

const rounds = ISSUES * ROUNDS_EACH;
const targets = [
  ...measurements.map(({ latencyMs, posted }) => target(`comments posted, ${latencyMs} ms`, '=', rounds, posted)),
  ...measurements.map(({ latencyMs, ratio }) =>
    target(`mirror of ${rounds} rounds, of bare octokit, ${latencyMs} ms a request`, '>=', 0.9, ratio),
  ),
];
const header = ['GitHub takes', 'requests', 'sync ms', 'bare octokit ms', 'and a synced write each ms', 'bare / ours'];
const rows = measurements.map(({ latencyMs, requests, ours, bare, noted, ratio }) => [
  `${latencyMs} ms`,
  String(requests),
  ...[median(ours), median(bare), median(noted), ratio].map(formatNumber),
]);
console.log(
  options.json
    ? JSON.stringify(
        { benchmark: 'github', machine: describeMachine(), options, measured: measurements, targets },
        null,
        2,
      )
    : `${formatTable(header, rows)}\n\n${formatTargets(targets)}`,
);

function prepare(repository: string): void {
  mkdirSync(repository, { recursive: true });
  startAgentx(repository, ['init']);
  const root = join(repository, '.agentx');
  const config = join(root, 'config.toml');
  const text = readFileSync(config, 'utf8').replace(/^mode = .*$/m, 'mode = "github"');
  writeFileSync(config, `${text}\n[github]\nrepo = "octocat/shop"\n`);
  const { ledgers } = layoutOf(root);
  mkdirSync(ledgers, { recursive: true });
  for (let number = 1; number <= ISSUES; number++) {
    writeFileSync(join(ledgers, `issue-${number}.json`), ledgerToText(makeLedger(number, ROUNDS_EACH)));
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function syncOnce(root: string): Promise<void> {
  const app = createApp({ root, env: { AGENTX_GITHUB_URL: url, GITHUB_TOKEN: TOKEN, AGENTX_LOG: 'silent' } });
  const { trouble, unsent } = await app.syncGitHub();
  if (trouble !== undefined || unsent.length > 0) throw new Error(`Not all is sent: ${trouble?.message}`);
  await app.close();
}

/** What a mirror costs that remembers nothing, or only what it is about to change. */
async function sendAll(requests: readonly SentRequest[], note?: (text: string) => void): Promise<void> {
  const octokit = new Octokit({ auth: TOKEN, baseUrl: url, userAgent: 'bench' });
  for (const { route, body, etag } of requests) {
    if (!route.startsWith('GET')) note?.(JSON.stringify({ route, body }));
    await octokit.request(route, {
      ...(typeof body === 'object' ? body : {}),
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
    });
  }
}

async function askServer(message: FreshRepository | 'requests'): Promise<ServerReport> {
  const answer = messageOf(server);
  server.send(message);
  const [report] = await answer;
  url = report.url ?? url;
  return report;
}

async function messageOf(child: ChildProcess): Promise<readonly [ServerReport]> {
  const [report]: ServerReport[] = await once(child, 'message');
  return [report ?? {}];
}
