import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AgentXError } from '../protocol/errors.js';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';

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
 * STORE_ERROR if the folder of a running server is gone: nothing is left to read, and empty lists would pass for the
 * truth. The token tells, because a process that goes on writing makes the folder anew, but not the token.
 */
export function requireServed(stateFolder: string): void {
  const path = join(stateFolder, TOKEN_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const problem = 'The .agentx/state folder of this server was removed or moved away.';
  throw new AgentXError('STORE_ERROR', `${problem} Put it back, or start agentx serve anew.`, { path });
}

/** Like the token, for another purpose and under its own name. */
export function secretIn(stateFolder: string, name: string): string {
  const path = join(stateFolder, name);
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
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
    // Whatever the umask made of it.
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
