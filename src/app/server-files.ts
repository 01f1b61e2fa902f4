import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentXError } from '../protocol/errors.js';
import { errorCode, makeInside, realFileSystem } from '../storage/files/file-system.js';
import { asStoreError, reasonOf } from '../storage/files/store-error.js';
import { writeSample } from '../storage/files/write-whole.js';

const TOKEN_FILE = 'server-token';
const TOKEN = /^[A-Za-z0-9_-]{43,200}$/;

/**
 * Made at the first start, readable by this user alone. Two servers that start at once use the same one. A token that
 * others could have read or written, or that is malformed, is replaced: it proves nothing.
 */
export function serverToken(stateFolder: string): string {
  return secretIn(stateFolder, TOKEN_FILE);
}

/**
 * STORE_ERROR if the folder of a running server is gone, or if another folder is in its place. Otherwise empty lists,
 * or the lists of another project, would pass for the truth. The server's own token tells its folder from another.
 */
export function requireServed(stateFolder: string, token: string | undefined): void {
  const now = tokenNow(join(stateFolder, TOKEN_FILE));
  if (now !== undefined && now === (token ?? now)) return;
  const how = now === undefined ? 'removed or moved away' : 'replaced by another one';
  const problem = `The .agentx/state folder of this server was ${how}.`;
  throw new AgentXError('STORE_ERROR', `${problem} Put it back, or start agentx serve anew.`);
}

function tokenNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw new AgentXError('STORE_ERROR', `This server cannot read its .agentx/state folder: ${reasonOf(error)}.`);
  }
}

/** STORE_ERROR if nothing can be written there: every answer would be refused. Strangers ask this, so it names no path. */
export function requireWritable(stateFolder: string): void {
  try {
    writeSample(realFileSystem, stateFolder, 'healthz');
  } catch (error) {
    throw new AgentXError('STORE_ERROR', `This server cannot write to its .agentx/state folder: ${reasonOf(error)}.`);
  }
}

/** Like the token, for another purpose and under its own name. */
export function secretIn(stateFolder: string, name: string): string {
  const path = join(stateFolder, name);
  try {
    makeInside(realFileSystem, dirname(stateFolder), stateFolder);
    const storedToken = trustedToken(path);
    if (storedToken !== undefined) return storedToken;
    rmSync(path, { force: true });
    makeToken(path);
    return trustedToken(path) ?? refuseToken(path);
  } catch (error) {
    throw error instanceof AgentXError ? error : asStoreError('read', path, error);
  }
}

function trustedToken(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || (stat.mode & 0o077) !== 0) return undefined;
  if (process.getuid !== undefined && stat.uid !== process.getuid()) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  return TOKEN.test(text) ? text : undefined;
}

function refuseToken(path: string): never {
  throw new AgentXError(
    'STORE_ERROR',
    `${path} cannot be kept from others on this file system. Allowed: a file that only its owner can read.`,
    { path },
  );
}

/** Whole or not at all: linked under its name once it is written. */
function makeToken(path: string): void {
  const own = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // The umask may have taken bits from the mode.
    chmodSync(own, 0o600);
    linkSync(own, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** The page as the build left it beside the program; empty if there was no build. */
export function pageFiles(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const folders = ['web', '../web', '../../dist/web'].map((folder) => join(import.meta.dirname, folder));
  const folder = folders.find((candidate) => existsSync(join(candidate, 'index.html')));
  if (folder === undefined) return new Map();
  return new Map(readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
}
