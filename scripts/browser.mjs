import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);

/** A real browser from npm packages alone: no root, no package manager of the system. */
export function launchBrowser() {
  return chromium.launch(launchOptions());
}

/** One that several processes use at once, through its address. */
export function launchBrowserServer() {
  return chromium.launchServer(launchOptions());
}

function launchOptions() {
  const folder = unpackedBrowser();
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox'],
    env: { ...process.env, ...SET_BY_BROWSER, ...missingFromSystem(folder) },
  };
}

/**
 * Variables that the browser adds to its own environment while its other threads read it. What is there already is not
 * added: without this, one of many launches ends in a segmentation fault in getenv.
 */
const SET_BY_BROWSER = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', FC_FONTATIONS: '1' };

/** Unpacked once for each user of the machine; whole or not at all, because several processes may come at once. */
function unpackedBrowser() {
  const entry = require.resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(entry, '../../../package.json'), 'utf8'));
  const folder = join(tmpdir(), `agentx-chromium-${version}-${userInfo().uid}`);
  if (existsSync(folder)) return folder;
  const unpacking = mkdtempSync(`${folder}.`);
  // The package unpacks into the temporary folder, and its libraries only if it believes to run in a bare cloud.
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `import c from '@sparticuz/chromium'; await c.executablePath();`],
    {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, TMPDIR: unpacking, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`The browser cannot be unpacked: ${stderr}`);
  try {
    renameSync(unpacking, folder);
  } catch (error) {
    rmSync(unpacking, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Libraries and fonts from the package, only where the machine has none of its own. */
function missingFromSystem(folder) {
  const { status, stdout } = spawnSync('ldd', [join(folder, 'chromium')], { encoding: 'utf8' });
  const isMissing = status !== 0 || stdout.includes('not found');
  return {
    ...(isMissing ? { LD_LIBRARY_PATH: join(folder, 'al2023/lib') } : {}),
    ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
  };
}
