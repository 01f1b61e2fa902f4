import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AgentXError } from '../protocol/errors.js';
import { shellWord } from '../protocol/shell-word.js';
import { errorCode, orElse } from '../storage/files/file-system.js';

export const FOLDER = '.agentx';

export interface RootRequest {
  readonly cwd: string;
  /** The value of `--root`: the folder that holds `.agentx`, or the `.agentx` folder itself. */
  readonly root?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the operating system; tests pass their own. */
  readonly look?: (path: string) => { isDirectory(): boolean } | undefined;
}

type Look = NonNullable<RootRequest['look']>;

const lookForReal: Look = (path: string) => statSync(path, { throwIfNoEntry: false });

/** The `.agentx` folder to work with: the named folder, or the nearest one above the current folder. */
export function findRoot({ cwd, root, env, look = lookForReal }: RootRequest): string {
  const namedFolder = root || env.AGENTX_ROOT;
  if (namedFolder) return folderAt(resolve(cwd, namedFolder), root ? '--root' : 'AGENTX_ROOT', look);
  let obstacle: string | undefined;
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, FOLDER);
    if (isFolder(look, candidate)) return aboveWorkTrees(candidate);
    obstacle ??= obstacleAt(candidate);
    if (folder === dirname(folder))
      throw notFound(`No ${FOLDER} folder in ${resolve(cwd)} or above it`, { cwd }, { obstacle });
  }
}

/** What is called like the folder and is none: the folder could not be made beside it. */
function obstacleAt(path: string): string | undefined {
  const stat = orElse(undefined, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stat === undefined || stat.isDirectory()) return undefined;
  if (!stat.isSymbolicLink()) return `${path} is a file`;
  try {
    return `${path} is a link to ${statSync(path, { throwIfNoEntry: false }) === undefined ? 'nothing' : 'a file'}`;
  } catch (error) {
    // What is closed to us may be the real folder, which stays where it is.
    return errorCode(error) === 'ELOOP' ? `${path} is a link to nothing` : undefined;
  }
}

/** The work tree of a run holds a copy of the folder, if it is committed; the records are in the real one. */
function aboveWorkTrees(folder: string): string {
  const [, realRoot] = WORK_TREE.exec(folder) ?? [];
  return realRoot ?? folder;
}

const WORK_TREE = /^(.*[/\\]\.agentx)[/\\]state[/\\]worktrees[/\\]/;

function folderAt(namedFolder: string, source: string, look: Look): string {
  if (basename(namedFolder) === FOLDER && isFolder(look, namedFolder)) return namedFolder;
  const inside = join(namedFolder, FOLDER);
  if (isFolder(look, inside)) return inside;
  if (existsSync(join(namedFolder, 'config.toml')) || isFolder(look, join(namedFolder, 'state'))) return namedFolder;
  const repository = basename(namedFolder) === FOLDER ? dirname(namedFolder) : namedFolder;
  const details = { root: namedFolder, source };
  if (repository === namedFolder && existsSync(namedFolder) && !isFolder(look, namedFolder)) {
    const problem = `${source} names ${namedFolder}, which is a file. Name the folder that holds ${FOLDER}.`;
    throw new AgentXError('NOT_FOUND', problem, details);
  }
  const obstacle = obstacleAt(join(repository, FOLDER));
  const where = ` --root ${shellWord(obstacle === undefined ? namedFolder : repository)}`;
  throw notFound(`${source} names ${namedFolder}, which has no ${FOLDER} folder`, details, { obstacle, where });
}

/** Errors that leave open whether the folder exists: a folder further above would be the wrong one. */
const NOT_TOLD = new Set(['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE']);

function isFolder(look: Look, path: string): boolean {
  try {
    return look(path)?.isDirectory() ?? false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_TOLD.has(String(error.code))) throw error;
    // A part of the path is a file, or is not ours to look into: no folder of ours either way.
    return false;
  }
}

interface Remedy {
  readonly obstacle: string | undefined;
  readonly where?: string;
}

function notFound(
  problem: string,
  details: Readonly<Record<string, unknown>>,
  { obstacle, where = '' }: Remedy,
): AgentXError {
  const why = obstacle === undefined ? '. Make one:' : `: ${obstacle}. Move it away, then:`;
  return new AgentXError('NOT_FOUND', `${problem}${why} agentx init${where}`, details);
}
