/*
 * node scripts/screenshots.mjs [FOLDER]: makes the pictures of the page in docs/images anew; into a FOLDER instead, every
 * view in light and dark at three widths.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { writeSampleProject } from './sample-project.mjs';

const VIEWS = ['inbox', 'board', 'asks', 'assumptions', 'memory', 'digest'];
const [everything] = process.argv.slice(2);

await ensureBuilt();
const folder = join(mkdtempSync(join(tmpdir(), 'agentx-pictures-')), 'shop');
mkdirSync(folder);
const agentx = [process.execPath, resolve('dist/agentx.cjs')];
const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, USER: 'ada' } };
spawnSync(agentx[0], [agentx[1], 'init'], options);
writeSampleProject(join(folder, '.agentx'), { projectId: 'shop' });
const server = spawn(agentx[0], [agentx[1], 'serve', '--port', '0'], options);
const browser = await launchBrowser();
try {
  const link = await linkOf(server);
  if (everything === undefined) await takeForReadme(link);
  else await takeAll(link, everything);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function takeForReadme(link) {
  mkdirSync('docs/images', { recursive: true });
  for (const [view, scheme] of [
    ['inbox', 'light'],
    ['board', 'dark'],
  ]) {
    const page = await open(link, { width: 1280, height: 820 }, scheme);
    await show(page, view);
    await page.screenshot({ path: `docs/images/${view}.png` });
    await page.context().close();
  }
}

async function takeAll(link, target) {
  mkdirSync(target, { recursive: true });
  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 800, 360]) {
      const page = await open(link, { width, height: width === 360 ? 740 : 800 }, scheme);
      for (const view of VIEWS) {
        await show(page, view);
        await page.screenshot({ path: join(target, `${view}-${width}-${scheme}.png`), fullPage: width === 360 });
      }
      await page.context().close();
    }
  }
}

async function open(link, viewport, colorScheme) {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  page.on('console', (message) => console.error(message.text()));
  await page.addInitScript(() => localStorage.setItem('agentx seen', 'before'));
  await page.goto(link);
  await page.locator('.row').first().waitFor();
  return page;
}

async function show(page, view) {
  await page.keyboard.press(String(VIEWS.indexOf(view) + 1));
  await page.locator(view === 'inbox' ? '.question' : '.view').waitFor();
  await page.waitForTimeout(300);
}

function linkOf({ stderr }) {
  return new Promise((done) => {
    stderr.on('data', (chunk) => {
      const link = /http:\S+#token=\S+/.exec(String(chunk))?.[0];
      if (link !== undefined) done(link);
    });
  });
}
