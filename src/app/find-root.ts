import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AgentXError } from '../protocol/errors.js';

export const FOLDER = '.agentx';

export interface RootRequest {
  readonly cwd: string;
  /** What `--root` says: the folder that holds `.agentx`, or the `.agentx` folder itself. */
  readonly root?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The `.agentx` folder to work with: the one that was named, or the nearest one above the current folder. */
export function findRoot({ cwd, root, env }: RootRequest): string {
  const named = root || env.AGENTX_ROOT;
  if (named) return folderAt(resolve(cwd, named), root ? '--root' : 'AGENTX_ROOT');
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, FOLDER);
    if (isFolder(candidate)) return candidate;
    if (folder === dirname(folder)) throw notFound(`No ${FOLDER} folder in ${resolve(cwd)} or above it.`, { cwd });
  }
}

function folderAt(named: string, source: string): string {
  if (basename(named) === FOLDER && isFolder(named)) return named;
  const inside = join(named, FOLDER);
  if (isFolder(inside)) return inside;
  if (existsSync(join(named, 'config.toml')) || isFolder(join(named, 'state'))) return named;
  throw notFound(
    `${source} names ${named}, which has no ${FOLDER} folder.`,
    { root: named, source },
    ` --root ${named}`,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // A part of the path is a file, or is not ours to look into: no folder of ours either way.
    return false;
  }
}

function notFound(problem: string, details: Readonly<Record<string, unknown>>, where = ''): AgentXError {
  return new AgentXError('NOT_FOUND', `${problem} Make one: agentx init${where}`, details);
}
