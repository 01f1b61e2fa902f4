import { realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isExecutable } from '../agents/find-program.js';

export interface OwnProgram {
  readonly command: string;
  /** What stands in front of the verb: our script, if the command is node. */
  readonly args: readonly string[];
  /** Why it is named in this way, for the person who reads what was written. */
  readonly reason: string;
  /** Whether other machines have it under the same name, so that it can be shared in a repository. */
  readonly isPortable: boolean;
}

export interface OwnProgramRequest {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The script that this process runs. */
  readonly script?: string;
  /** The Node that this process runs on. */
  readonly node?: string;
  /** Whether the caller may have another PATH, as programs have that are not started from a shell. */
  readonly needsPath?: boolean;
}

/** How another program starts this one. */
export function ownProgram({
  env,
  script = process.argv[1] ?? '',
  node = process.execPath,
  needsPath = false,
}: OwnProgramRequest): OwnProgram {
  const folders = lastingFolders(env);
  const own = realpathSync(script);
  const programPath = programIn(folders, 'agentx');
  // Two launchers stand side by side, under the present name and under an earlier one.
  const isOwn = programPath !== undefined && dirname(realpathSync(programPath)) === dirname(own);
  if (isOwn && !needsPath && process.platform !== 'win32') {
    return { command: 'agentx', args: [], reason: `agentx is on your PATH: ${programPath}`, isPortable: true };
  }
  const command = nodeIn(folders, node);
  return { command, args: [own], reason: reasonFor({ found: programPath, isOwn, needsPath }), isPortable: false };
}

function reasonFor({
  found,
  isOwn,
  needsPath,
}: {
  found: string | undefined;
  isOwn: boolean;
  needsPath: boolean;
}): string {
  if (isOwn && needsPath)
    return 'a program with windows may not have the PATH of your shell, so the whole path is written';
  if (isOwn) return 'programs here cannot start agentx.cmd, so node and the script are written';
  if (found === undefined) return 'agentx is not on your PATH, so the whole path is written';
  return `agentx on your PATH is another program (${found}), so the whole path is written`;
}

/** The folders of PATH that are there in every shell: npm and npx add their own for as long as they run. */
function lastingFolders({ PATH = '', Path = PATH }: OwnProgramRequest['env']): readonly string[] {
  return Path.split(delimiter).filter(
    (folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder),
  );
}

/** By the name on PATH that leads to it, which outlives an update, else by its own place. */
function nodeIn(folders: readonly string[], node: string): string {
  const onPath = programIn(folders, 'node');
  return onPath !== undefined && realpathSync(onPath) === realpathSync(node) ? onPath : node;
}

function programIn(folders: readonly string[], name: string): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable);
}
