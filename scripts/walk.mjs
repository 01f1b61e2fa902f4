// The walk: how many files and functions of src/ one use case passes through.
//   node scripts/walk.mjs [REPOSITORY]     prints a line per walk; --files lists them, --rooms counts by room
// Every source file is transpiled on its own (no bundle), so that V8's coverage is per source file.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(process.argv.find((word, index) => index > 1 && !word.startsWith('-')) ?? '.');
const flags = new Set(process.argv.filter((word) => word.startsWith('--')));
const work = mkdtempSync(join(tmpdir(), 'agentx-walk-'));
const home = join(work, 'home');
const buildFolder = join(work, 'built');
mkdirSync(home);

const sources = readdirSync(join(repository, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => join('src', file));
execFileSync(
  join(repository, 'node_modules/.bin/esbuild'),
  [
    ...sources,
    '--outbase=.',
    `--outdir=${buildFolder}`,
    '--format=esm',
    '--platform=node',
    '--target=node20',
    '--define:AGENTX_VERSION="0.0.0"',
    '--log-level=error',
  ],
  { cwd: repository },
);
symlinkSync(join(repository, 'node_modules'), join(buildFolder, 'node_modules'));
cpSync(join(repository, 'package.json'), join(buildFolder, 'package.json'));
const main = join(buildFolder, 'src/cli/main.js');

const SCRIPT = `
[[turns]]
agent = "engineer"
kind = "work"
clarify = [{ to = "architect", topic = "Database layer", question = "Two adapters, or migrate?" }]

[[turns]]
agent = "engineer"
kind = "work"
text = "Done."

[[turns]]
agent = "architect"
topic = "Database layer"
answer = "Two adapters."

[[turns]]
agent = "architect"
kind = "work"
text = "Planned."
`;
const WORKFLOW = `[workflow]
name = "story"
description = "A plan, then the work"
type = "story"

[[steps]]
id = "plan"
title = "Plan {{title}}"
agent = "architect"

[[steps]]
id = "implement"
title = "Do {{title}}"
agent = "engineer"
needs = ["plan"]
can_clarify = ["architect"]
`;

/** A fresh repository with an architect and an engineer that play a script, and issue 1. */
function project(name, architect = 'runner = "script"\nscript = "agents.toml"') {
  const folder = join(work, name);
  mkdirSync(join(folder, '.agentx/workflows'), { recursive: true });
  writeFileSync(
    join(folder, '.agentx/config.toml'),
    `project = "walk"\n[agents.architect]\n${architect}\n[agents.engineer]\nrunner = "script"\nscript = "agents.toml"\n`,
  );
  writeFileSync(join(folder, '.agentx/workflows/story.toml'), WORKFLOW);
  writeFileSync(join(folder, 'agents.toml'), SCRIPT);
  agentx(folder, ['init']);
  agentx(folder, ['issue', 'create', '-t', 'Store orders', '-l', 'type:story']);
  return folder;
}

function agentx(cwd, words, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`agentx ${words.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** Functions that were called, module bodies left out; a file counts when one of its functions was called. */
function called(result) {
  const files = new Map();
  const loaded = new Set();
  for (const { url, functions } of result) {
    if (!url.startsWith('file://')) continue;
    const path = fileURLToPath(url);
    if (!path.startsWith(`${buildFolder}/src/`)) continue;
    const file = path.slice(buildFolder.length + 5);
    loaded.add(file);
    const size = readFileSync(path, 'utf8').length;
    const isBody = ({ functionName, ranges }) =>
      functionName === '' && ranges[0].startOffset === 0 && ranges[0].endOffset >= size - 2;
    const functionsCalled = functions.filter((one) => one.ranges[0].count > 0 && !isBody(one));
    const namesCovered = files.get(file) ?? new Set();
    for (const { functionName, ranges } of functionsCalled)
      namesCovered.add(`${functionName}@${ranges[0].startOffset}`);
    if (namesCovered.size > 0) files.set(file, namesCovered);
  }
  return { files, loaded };
}

function report(name, { files, loaded }) {
  const all = [...files.values()];
  const namedCount = all.flatMap((set) => [...set]).filter((one) => !one.startsWith('@')).length;
  console.log(
    `${name}: ${files.size} files, ${namedCount} named functions (${all.reduce((sum, set) => sum + set.size, 0)} with closures); ${loaded.size} files loaded`,
  );
  if (flags.has('--rooms')) {
    const rooms = new Map();
    for (const [file, set] of files) {
      const room = file.split('/')[0] === 'storage' ? file.split('/').slice(0, 2).join('/') : file.split('/')[0];
      const [count, functions] = rooms.get(room) ?? [0, 0];
      rooms.set(room, [count + 1, functions + [...set].filter((one) => !one.startsWith('@')).length]);
    }
    console.log([...rooms].map(([room, [count, functions]]) => `  ${room} ${count}/${functions}`).join(''));
  }
  if (flags.has('--files')) for (const [file, set] of [...files].sort()) console.log(`  ${file} ${set.size}`);
}

function walkOfCommand(name, words) {
  const folder = project(name);
  const coverage = join(work, `${name}-coverage`);
  agentx(folder, words, { NODE_V8_COVERAGE: coverage });
  const results = readdirSync(coverage).flatMap(
    (file) => JSON.parse(readFileSync(join(coverage, file), 'utf8')).result,
  );
  collect(name, called(results));
}

/** Only what happens between the request and its reply: counters are taken, and so reset, right before it. */
function walkOfHttp(name) {
  const isEscalation = name.includes('escalation');
  const folder = project(name, isEscalation ? 'runner = "human"' : undefined);
  const child = join(buildFolder, 'http.mjs');
  writeFileSync(
    child,
    `
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createApp } from './src/app/create-app.js';
import { serve } from './src/server/serve.js';
const app = createApp({ root: '.agentx' });
const server = await serve({ app: { ...app, pageFiles: async () => new Map([['index.html', new Uint8Array()]]) }, host: '127.0.0.1', port: 0, principal: 'walker' });
const authorization = 'Bearer ' + (await app.serverToken());
const url = 'http://127.0.0.1:' + server.port + '/api/v1/projects/walk/notifications';
const headers = { authorization, 'content-type': 'application/json' };
const question = ${isEscalation} ? await escalated() : await plain();
async function escalated() {
  const { record } = await app.openAsk({ issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Ports', question: 'Which port?' });
  const list = await (await fetch(url, { headers })).json();
  return list.notifications[0];
}
async function plain() {
const asked = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ issueNumber: 1, agent: 'engineer', source: 'execute', sourceId: '1', questions: [{ text: 'Which port?', options: [{ label: '80' }, { label: '8080' }] }] }) })).json();
return asked.notification;
}
await new Promise((done) => setTimeout(done, 500));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
await session.post('Profiler.takePreciseCoverage');
const response = await fetch(url + '/' + question.id, { method: 'PATCH', headers, body: JSON.stringify({ revision: question.revision, responses: [{ questionId: 'q1', optionIds: ['a'] }] }) });
const body = await response.text();
await new Promise((done) => setTimeout(done, 1000));
const { result } = await session.post('Profiler.takePreciseCoverage');
if (response.status !== 200) throw new Error(response.status + body);
writeFileSync('coverage.json', JSON.stringify(result));
process.exit(0);
`,
  );
  const { status, stderr } = spawnSync(process.execPath, [child], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  collect(name, called(JSON.parse(readFileSync(join(folder, 'coverage.json'), 'utf8'))));
}

/** Timers make one run differ from the next by a few functions: what counts is what any of three runs called. */
const walks = new Map();
function collect(name, { files, loaded }) {
  const key = name.replace(/-\d$/, '');
  const walk = walks.get(key) ?? { files: new Map(), loaded: new Set() };
  for (const [file, set] of files) walk.files.set(file, new Set([...(walk.files.get(file) ?? []), ...set]));
  for (const file of loaded) walk.loaded.add(file);
  walks.set(key, walk);
}

try {
  for (const time of [1, 2, 3]) {
    walkOfCommand(`ask-${time}`, [
      'ask',
      '--issue',
      '1',
      '--from',
      'engineer',
      '--to',
      'architect',
      '--topic',
      'Database layer',
      '-q',
      'Two adapters?',
    ]);
    walkOfCommand(`run-${time}`, ['run', '1', '--no-wait']);
    walkOfHttp(`http-answer-${time}`);
    walkOfHttp(`http-escalation-${time}`);
  }
  for (const [name, walk] of walks) report(name, walk);
} finally {
  rmSync(work, { recursive: true, force: true });
}
