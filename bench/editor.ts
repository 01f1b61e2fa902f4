import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../scripts/browser.mjs';
import { startEditor, whyNoEditor } from '../scripts/editor.mjs';
import type { App } from '../src/app/app.js';
import { createApp } from '../src/app/create-app.js';
import { initFolder } from '../src/app/init.js';
import type { EditorAddress } from '../test/editor/support/editor.js';
import { EditorWindow } from '../test/editor/support/window.js';
import { rowsOf, showView } from '../test/editor/support/workbench.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { median, medianRatio } from './statistics.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

const OURS = 'agentx-hub.agentx-vscode';
const BARE = 'agentx-bench.bare';
const ROWS = [10, 1000, 5000];
/** Refreshes for each round of the other benchmarks. */
const REFRESHES = 2;

const options = readOptions(process.argv.slice(2));
const reason = whyNoEditor();
if (reason !== undefined) {
  console.error(reason);
  process.exit(1);
}
const vsix = resolve('extension/agentx-vscode.vsix');
const kilobytes = statSync(vsix).size / 1024;
const { address, stop } = await openEditor();
const browser = await launchBrowser();
try {
  console.error('[1/2] activation');
  const activation = await measureActivation(browser);
  console.error('[2/2] refreshes');
  const refreshes = [];
  for (const rows of ROWS) refreshes.push(await measureRefresh(browser, rows));
  report(activation, refreshes);
} finally {
  await browser.close();
  await stop();
}
process.exit();

async function openEditor(): Promise<{ address: EditorAddress; stop: () => Promise<void> }> {
  const folder = makeWorkFolder(diskFolder());
  const [home, sockets] = [join(folder, 'home'), join(folder, 'sockets')];
  for (const folderToMake of [home, sockets]) mkdirSync(folderToMake);
  const { url, stop } = await startEditor({
    folder,
    extensions: [vsix],
    unpacked: [resolve('test/editor/companion'), resolve('bench/editor/bare')],
    env: { PATH: process.env.PATH, HOME: home, USER: 'ada', AGENTX_TEST_SOCKETS: sockets },
  });
  return { address: { url, sockets }, stop };
}

/** Loading the code and calling `activate`, for a folder that is a project, in one extension host. */
async function measureActivation(browser: Browser) {
  const { folder } = await aProject(10);
  const [there, away] = [join(folder, '.agentx'), join(folder, 'away')];
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= options.rounds; round++) {
    // The editor activates both when it opens a folder that is a project, so this one becomes a project afterwards.
    renameSync(there, away);
    const window = await EditorWindow.open(browser, address, { folder });
    renameSync(away, there);
    const bare = await activationTime(window, BARE);
    const ours = await activationTime(window, OURS);
    await window.close();
    // The first window finds nothing in the caches of the system.
    if (round === 0) continue;
    times.ours.push(ours);
    times.bare.push(bare);
  }
  return { ours: median(times.ours), bare: median(times.bare), ratio: medianRatio(times.ours, times.bare) };
}

function activationTime({ host }: EditorWindow, id: string): Promise<number> {
  return host.run(async (vscode, id) => {
    const extension = vscode.extensions.getExtension(id);
    if (extension === undefined || extension.isActive) throw new Error(`${id} is missing or active already.`);
    const started = performance.now();
    await extension.activate();
    return performance.now() - started;
  }, id);
}

/** From the change on the disk until the new row is on the screen, in the ready queue and in the list of bare lines. */
async function measureRefresh(browser: Browser, rows: number) {
  const { folder, app } = await aProject(rows);
  const window = await EditorWindow.open(browser, address, { folder });
  const { page, host } = window;
  let count = 0;
  const ours = async () => {
    const title = `Urgent ${++count}`;
    const { number } = await app.createIssue({ title, labels: ['priority:p0'] });
    await rowsOf(page, 'Ready Queue').filter({ hasText: title }).first().waitFor();
    await app.closeIssue(number);
    await rowsOf(page, 'Ready Queue').filter({ hasText: title }).first().waitFor({ state: 'detached' });
  };
  const bare = async () => {
    const title = `Urgent ${++count}`;
    writeLines(folder, [title, ...lines(rows)]);
    await rowsOf(page, 'Rows').filter({ hasText: title }).first().waitFor();
    writeLines(folder, lines(rows));
    await rowsOf(page, 'Rows').filter({ hasText: title }).first().waitFor({ state: 'detached' });
  };
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= options.rounds; round++) {
    for (const [name, view, work] of [
      ['bare', 'Bare', bare],
      ['ours', 'AgentX', ours],
    ] as const) {
      await showView(page, view);
      await rowsOf(page, view === 'Bare' ? 'Rows' : 'Ready Queue')
        .first()
        .waitFor();
      for (let turn = 0; turn < REFRESHES; turn++) {
        const started = performance.now();
        await work();
        if (round > 0) times[name].push((performance.now() - started) / 2);
      }
    }
  }
  const stall = await longestStall(host, ours);
  await showView(page, 'Bare');
  await rowsOf(page, 'Rows').first().waitFor();
  const bareStall = await longestStall(host, bare);
  await window.close();
  return {
    rows,
    ours: median(times.ours),
    bare: median(times.bare),
    ratio: medianRatio(times.ours, times.bare),
    stall,
    bareStall,
  };
}

/** How long the event loop of the extension host stood still at most, while `work` was done. */
async function longestStall(host: EditorWindow['host'], work: () => Promise<void>): Promise<number> {
  await host.run(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
    const monitor = monitorEventLoopDelay({ resolution: 5 });
    monitor.enable();
    Object.assign(globalThis, { monitor });
  });
  await work();
  return host.run(() => {
    const { monitor }: { monitor?: { readonly max: number; disable(): void } } = Object(globalThis);
    monitor?.disable();
    return (monitor?.max ?? 0) / 1e6;
  });
}

async function aProject(rows: number): Promise<{ folder: string; app: App }> {
  const folder = makeWorkFolder(diskFolder());
  const { root } = initFolder({ repository: folder });
  const app = createApp({ root, env: { AGENTX_LOG: 'silent' } });
  for (let n = 1; n <= rows; n++) await app.createIssue({ title: `Issue ${n} of many`, labels: ['priority:p5'] });
  mkdirSync(join(folder, 'bare'));
  writeLines(folder, lines(rows));
  return { folder, app };
}

function lines(rows: number): readonly string[] {
  return Array.from({ length: rows }, (_, index) => `Line ${index + 1} of many`);
}

function writeLines(folder: string, content: readonly string[]): void {
  writeFileSync(join(folder, 'bare/rows.txt'), `${content.join('\n')}\n`);
}

type Activation = Awaited<ReturnType<typeof measureActivation>>;
type Refresh = Awaited<ReturnType<typeof measureRefresh>>;

function report(activation: Activation, refreshes: readonly Refresh[]): void {
  const targets = [
    target('size of the .vsix in kB', '<=', 1024, kilobytes),
    ...refreshes.map(({ rows, ratio }) => target(`refresh of ${rows} rows / bare list`, '<=', 3, ratio)),
    ...refreshes.map(({ rows, stall, bareStall }) =>
      target(`longest stall with ${rows} rows / bare list`, '<=', 1.5, stall / bareStall),
    ),
  ];
  if (options.json) {
    const measured = { kilobytes, activation, refreshes, targets };
    console.log(JSON.stringify({ benchmark: 'editor', machine: describeMachine(), options, ...measured }, null, 2));
    return;
  }
  const activationFigures = [activation.ours, activation.bare, activation.ratio].map(formatNumber);
  const refreshRows = refreshes.map(({ rows, ours, bare, ratio, stall, bareStall }) => [
    String(rows),
    ...[ours, bare, ratio, stall, bareStall].map(formatNumber),
  ]);
  console.log(
    [
      formatTable(['activation', 'agentx ms', 'empty extension ms', 'ratio'], [['for a folder', ...activationFigures]]),
      formatTable(
        ['rows', 'refresh ms', 'bare list ms', 'ratio', 'longest stall of the host ms', 'with the bare list'],
        refreshRows,
      ),
      formatTargets(targets),
    ].join('\n\n'),
  );
}
