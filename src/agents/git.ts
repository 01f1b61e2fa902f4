import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/*
 * Git, as AgentX calls it. It works in the named folder, whatever variables a git hook has set. It asks no person
 * anything, and starts no program that a repository names.
 */

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const run = promisify(execFile);
/** Variables that a hook of git sets; they would lead every call to another repository. */
const PLACES = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX', 'GIT_OBJECT_DIRECTORY'];
const SETTINGS = ['core.quotepath=off', 'core.hooksPath=/dev/null', 'core.fsmonitor=false', 'commit.gpgSign=false'];

export interface GitResult {
  readonly isDone: boolean;
  readonly stdout: string;
  /** Why it is not done, in git's words. */
  readonly problem: string;
}

export async function git(cwd: string, args: readonly string[]): Promise<GitResult> {
  const words = [
    ...PLACES.flatMap((name) => ['-u', name]),
    ...['LC_ALL=C', 'GIT_TERMINAL_PROMPT=0', 'git', '--no-optional-locks'],
    ...SETTINGS.flatMap((setting) => ['-c', setting]),
    ...args,
  ];
  try {
    const { stdout } = await run('env', words, { cwd, maxBuffer: MAX_OUTPUT_BYTES });
    return { isDone: true, stdout, problem: '' };
  } catch (error) {
    return { isDone: false, stdout: '', problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  const { code, stderr, message } = Object(error);
  if (code === NOT_FOUND) return 'git is not installed';
  return String(stderr || message || error)
    .replace(/^(?:fatal|error): /gm, '')
    .trim();
}

/** As `env` says it. */
const NOT_FOUND = 127;
