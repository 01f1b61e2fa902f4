import { join, relative, sep } from 'node:path';
import { type FileSystem, orElse } from '../file-system.js';

/**
 * Everything below a folder but the work trees of runs, which belong to git and their agents. A link is listed, and
 * followed only if it leads to a file of the same folder.
 */
export interface Walk {
  readonly files: readonly Entry[];
  readonly folders: readonly Entry[];
  /** Links that are not followed, with the reason. */
  readonly closed: readonly (Entry & { readonly reason: string })[];
  /** Folders that the system refuses to open, with its error. */
  readonly denied: readonly (Entry & { readonly error: unknown })[];
  /** Neither file, folder nor link: reading one could take for ever. */
  readonly others: readonly Entry[];
}

export interface Entry {
  readonly path: string;
  /** Relative to the root, with `/` between the parts. */
  readonly name: string;
}

const WORK_TREES = 'state/worktrees';

type MutableWalk = { -readonly [Key in keyof Walk]: Walk[Key][number][] };

export function walk(fs: FileSystem, root: string): Walk {
  const contents: MutableWalk = { files: [], folders: [], closed: [], denied: [], others: [] };
  visit(fs, root, { root, contents });
  return contents;
}

function visit(
  fs: FileSystem,
  folder: string,
  context: { readonly root: string; readonly contents: MutableWalk },
): void {
  const { root, contents } = context;
  const children = childrenOf(fs, folder, (error) => contents.denied.push({ ...entryOf(root, folder), error }));
  if (children === undefined) return;
  contents.folders.push(entryOf(root, folder));
  if (entryOf(root, folder).name === WORK_TREES) return;
  for (const child of children) {
    const path = join(folder, child.name);
    const entry = entryOf(root, path);
    if (child.isDirectory()) visit(fs, path, context);
    else if (child.isFile()) contents.files.push(entry);
    else if (!child.isSymbolicLink()) contents.others.push(entry);
    else {
      const reason = againstFollowing(fs, root, path);
      if (reason === undefined) contents.files.push(entry);
      else contents.closed.push({ ...entry, reason });
    }
  }
}

function childrenOf(fs: FileSystem, folder: string, onDenial: (error: unknown) => void) {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    onDenial(error);
    return undefined;
  }
}

function againstFollowing(fs: FileSystem, root: string, path: string): string | undefined {
  const target = targetOf(fs, path);
  if (target === undefined) return 'it is a link that leads nowhere';
  if (!target.startsWith(root + sep)) return 'it is a link that leads out of the folder';
  return orElse(false, () => fs.statSync(target).isFile()) ? undefined : 'it is a link to a folder';
}

/** Undefined if there is nothing, or a cycle of links, or access is denied. */
function targetOf(fs: FileSystem, path: string): string | undefined {
  return orElse(undefined, () => fs.realpathSync.native(path));
}

const entryOf = (root: string, path: string): Entry => ({ path, name: relative(root, path).split(sep).join('/') });
