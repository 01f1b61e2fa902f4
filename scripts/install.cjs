'use strict';
const { createHash } = require('node:crypto');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** Installs the packages of `folder` unless what its lock file names is already there. Two at once: one waits. */
function ensureInstalled(folder) {
  const stamp = path.join(folder, 'node_modules', '.installed-from');
  if (isCurrent(folder, stamp)) return;
  const release = waitForTurn(path.join(folder, '.installing.lock'));
  try {
    if (!isCurrent(folder, stamp)) install(folder, stamp);
  } finally {
    release();
  }
}

function install(folder, stamp) {
  console.error(`Installing packages${folder === '.' ? '' : ` for ${folder}`}...`);
  // Not `npm ci`: it refuses a lock file that does not name the binaries of every platform, and a registry need not have
  // them all. With --no-save the lock file still decides every version and is left as it is.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  // Settings of the outer `npm run` (an allow list, a prefix) must not leak into an installation of another folder.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_package_')));
  const options = { cwd: folder, stdio: ['ignore', 2, 2], env };
  const result = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options);
  if (result.status !== 0) {
    console.error(`Installing packages failed. Try "npm ${args[0]}" in ${path.resolve(folder)} to see more.`);
    process.exit(1);
  }
  fs.writeFileSync(stamp, wanted(folder));
}

function isCurrent(folder, stamp) {
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted(folder);
}

function wanted(folder) {
  const lockFile = fs.readFileSync(path.join(folder, 'package-lock.json'));
  return createHash('sha256').update(lockFile).update(process.version).digest('hex');
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

module.exports = { ensureInstalled };
