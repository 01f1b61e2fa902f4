import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';

const TOKEN_FILE = 'server-token';

/** Made at the first start, readable by this user alone. Of two servers that start at once, one's is everybody's. */
export function serverToken(stateFolder: string): string {
  const path = join(stateFolder, TOKEN_FILE);
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) makeToken(path);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw asStoreError('read', path, error);
  }
}

/** Whole or not at all: linked under its name once it is written. */
function makeToken(path: string): void {
  const own = `${path}.${process.pid}.tmp`;
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(own, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** The page as the build left it beside the program; none if there was no build. */
export function pageFiles(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const folders = ['web', '../web', '../../dist/web'].map((folder) => join(import.meta.dirname, folder));
  const folder = folders.find((candidate) => existsSync(join(candidate, 'index.html')));
  if (folder === undefined) return new Map();
  return new Map(readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
}
