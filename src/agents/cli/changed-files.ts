import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../git.js';

/*
 * What a program changed in a repository, as git sees it: files that are ignored do not count, and neither does the
 * folder of AgentX, in which other processes write. A file that was changed before already counts if it changed again.
 */

/** The commit, and each file that differs from it with a mark that changes when the file does. */
export interface Snapshot {
  readonly head: string;
  readonly files: Readonly<Record<string, string>>;
}

const MAX_FILES = 10_000;

/** Undefined if the folder is in no repository, or git is missing. */
export async function takeSnapshot(cwd: string): Promise<Snapshot | undefined> {
  const status = await output(cwd, ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '.']);
  if (status === undefined) return undefined;
  const prefix = ((await output(cwd, ['rev-parse', '--show-prefix'])) ?? '').trimEnd();
  const head = ((await output(cwd, ['rev-parse', '--verify', '--quiet', 'HEAD'])) ?? '').trim();
  const paths = namesIn(status).flatMap((entry) => belowPrefix(entry.slice(3), prefix));
  const files = paths.slice(0, MAX_FILES).map((path) => [path, markOf(join(cwd, path))] as const);
  return { head, files: Object.fromEntries(files) };
}

/** Paths from the folder, sorted: changed, made or removed since `before`, committed or not. */
export async function changedSince(cwd: string, before: Snapshot): Promise<readonly string[]> {
  const now = await takeSnapshot(cwd);
  if (now === undefined) return [];
  const committedPaths = now.head === before.head ? [] : await between(cwd, before.head, now.head);
  const paths = new Set([...Object.keys(before.files), ...Object.keys(now.files), ...committedPaths]);
  // A file that was only committed, or staged, is as it was before.
  return [...paths].filter((path) => !isOurs(path) && before.files[path] !== markOf(join(cwd, path))).sort();
}

async function between(cwd: string, from: string, to: string): Promise<readonly string[]> {
  const range =
    from === '' ? ['ls-tree', '-r', '--name-only', '-z', to] : ['diff', '--name-only', '--relative', '-z', from, to];
  return namesIn((await output(cwd, range)) ?? '');
}

function namesIn(text: string): readonly string[] {
  return text.split('\0').filter((name) => name !== '');
}

/** Git names files from the top of the repository, which may be above this folder. */
function belowPrefix(path: string, prefix: string): readonly string[] {
  return path.startsWith(prefix) ? [path.slice(prefix.length)] : [];
}

function markOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? 'gone' : `${stats.mtimeNs}-${stats.size}-${stats.mode}`;
}

function isOurs(path: string): boolean {
  return path.split('/').includes('.agentx');
}

async function output(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const { isDone, stdout } = await git(cwd, args);
  return isDone ? stdout : undefined;
}
