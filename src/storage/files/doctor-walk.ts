import { join, relative, sep } from 'node:path';
import { type FileSystem, isThere } from './file-system.js';

/** Everything below a folder. A link is listed, and looked through only where it leads to a file of the same folder. */
export interface Walk {
  readonly files: readonly Entry[];
  readonly folders: readonly Entry[];
  /** Links and folders that are not looked into, with the reason. */
  readonly closed: readonly (Entry & { readonly reason: string })[];
  /** Neither file, folder nor link: reading one could take for ever. */
  readonly others: readonly Entry[];
}

export interface Entry {
  readonly path: string;
  /** From the root, with `/` between the parts. */
  readonly name: string;
}

type MutableWalk = { -readonly [Key in keyof Walk]: Walk[Key][number][] };

export function walk(fs: FileSystem, root: string): Walk {
  const found: MutableWalk = { files: [], folders: [], closed: [], others: [] };
  visit(fs, root, { root, found });
  return found;
}

function visit(fs: FileSystem, folder: string, context: { readonly root: string; readonly found: MutableWalk }): void {
  const { root, found } = context;
  const children = childrenOf(fs, folder);
  if (children === undefined) {
    found.closed.push({ ...entryOf(root, folder), reason: 'it cannot be listed' });
    return;
  }
  found.folders.push(entryOf(root, folder));
  for (const child of children) {
    const path = join(folder, child.name);
    const entry = entryOf(root, path);
    if (child.isDirectory()) visit(fs, path, context);
    else if (child.isFile()) found.files.push(entry);
    else if (!child.isSymbolicLink()) found.others.push(entry);
    else {
      const reason = againstFollowing(fs, root, path);
      if (reason === undefined) found.files.push(entry);
      else found.closed.push({ ...entry, reason });
    }
  }
}

function childrenOf(fs: FileSystem, folder: string) {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function againstFollowing(fs: FileSystem, root: string, path: string): string | undefined {
  if (!isThere(fs, path)) return 'it is a link that leads nowhere';
  const target = fs.realpathSync.native(path);
  if (!target.startsWith(root + sep)) return 'it is a link that leads out of the folder';
  return fs.statSync(target).isFile() ? undefined : 'it is a link to a folder';
}

const entryOf = (root: string, path: string): Entry => ({ path, name: relative(root, path).split(sep).join('/') });
