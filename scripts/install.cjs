'use strict';
const { createHash } = require('node:crypto');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** Packages that build the program or are built into it. The others in package.json are tools of tests. */
const NEEDED_TO_BUILD = [
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@hono/node-server',
  '@modelcontextprotocol/server',
  '@octokit/core',
  '@octokit/plugin-throttling',
  'ai',
  'commander',
  'esbuild',
  'hono',
  'jsonc-parser',
  'nodemailer',
  'picocolors',
  'preact',
  'smol-toml',
  'stemmer',
  'ws',
  'yaml',
];

/**
 * Installs the packages of `folder`, or with `onlyToBuild` those that a build needs, unless they are already there. If
 * two run at once, one waits.
 */
function ensureInstalled(folder, { onlyToBuild = false } = {}) {
  if (isCurrent(folder, onlyToBuild)) return;
  const release = waitForTurn(path.join(folder, '.installing.lock'));
  try {
    if (!isCurrent(folder, onlyToBuild)) install(folder, onlyToBuild);
  } finally {
    release();
  }
}

function install(folder, onlyToBuild) {
  console.error(`Installing packages${folder === '.' ? '' : ` for ${folder}`}...`);
  // Not `npm ci`, which works too but begins by deleting everything. With --no-save the lock file still decides every
  // version and is left as it is.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (onlyToBuild) args.push('--omit=dev', '--save-prod', ...pinned(folder, NEEDED_TO_BUILD));
  const npm = process.env.npm_execpath;
  // Settings of the outer `npm run` (an allow list, a prefix) must not leak into an installation of another folder.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_package_')));
  const options = { cwd: folder, stdio: ['ignore', 2, 2], env };
  const result = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options);
  if (result.status !== 0) {
    console.error(`Installing packages failed. Try "npm ${args[0]}" in ${path.resolve(folder)} to see more.`);
    process.exit(1);
  }
  fs.writeFileSync(stampIn(folder), stampOf(folder, onlyToBuild));
}

function pinned(folder, names) {
  const { devDependencies } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return names.map((name) => `${name}@${devDependencies[name]}`);
}

function isCurrent(folder, onlyToBuild) {
  const stamp = stampIn(folder);
  const installedStamp = fs.existsSync(stamp) ? fs.readFileSync(stamp, 'utf8') : undefined;
  return installedStamp === stampOf(folder, false) || (onlyToBuild && installedStamp === stampOf(folder, true));
}

function stampOf(folder, onlyToBuild) {
  const hash = createHash('sha256').update(fs.readFileSync(path.join(folder, 'package-lock.json')));
  if (onlyToBuild) hash.update(NEEDED_TO_BUILD.join());
  return hash.update(process.version).digest('hex');
}

function stampIn(folder) {
  return path.join(folder, 'node_modules', '.installed-from');
}

function waitForTurn(lock) {
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      const release = () => fs.rmSync(lock, { force: true });
      process.once('exit', release);
      return release;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isAlive(lock)) fs.rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
}

function isAlive(lock) {
  const pid = Number(fs.existsSync(lock) && fs.readFileSync(lock, 'utf8'));
  if (!pid) return Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 5000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

module.exports = { ensureInstalled, NEEDED_TO_BUILD };
