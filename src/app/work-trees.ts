import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type GitResult, git } from '../agents/git.js';
import type { Store } from '../ports/store.js';
import type { WorkTrees } from '../ports/work-trees.js';
import { AgentXError } from '../protocol/errors.js';
import type { RunBranch } from '../protocol/events.js';
import type { Run, WorkTree } from '../protocol/run.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { branchOf } from '../run/work-place.js';

/*
 * Git work trees of runs, in `.agentx/state/worktrees/{run}`. The branch of a run is in its record before git makes it,
 * so that a process that was killed in between can be followed by another.
 */

const FOLDER = 'worktrees';

export interface WorkTreeOptions {
  /** The folder of the project; the repository may begin above it. */
  readonly repository: string;
  /** `.agentx/state`. */
  readonly state: string;
  readonly isWanted: () => boolean;
}

/** The folder in which agents work on an issue: the work tree of its run, or the repository's own folder. */
export function openPlaces(
  { repository, state }: Pick<WorkTreeOptions, 'repository' | 'state'>,
  runs: Store['runs'],
): (issueNumber: number) => Promise<string> {
  return async (issueNumber) => {
    // Most projects have none, and then nothing is read.
    if (!existsSync(join(state, FOLDER))) return repository;
    const run = await runs.read(issueNumber);
    if (run?.workTree === undefined) return repository;
    const folder = join(state, FOLDER, run.id);
    return existsSync(folder) ? join(folder, run.workTree.inside) : repository;
  };
}

/** A branch that a person has not dealt with: its work tree was not removed. */
export interface LeftBranch {
  readonly run: Run;
  readonly branch: RunBranch;
}

/** Those of the latest run of each issue, the newest first. */
export async function leftBranches(
  { repository, state }: Pick<WorkTreeOptions, 'repository' | 'state'>,
  runs: Store['runs'],
): Promise<readonly LeftBranch[]> {
  const folder = join(state, FOLDER);
  const leftFolders = new Set(existsSync(folder) ? readdirSync(folder) : []);
  if (leftFolders.size === 0) return [];
  const { items } = await runs.list();
  const { folderOf } = openWorkTrees({ repository, state, isWanted: () => false });
  return items
    .flatMap(({ run }) => {
      const branch = leftFolders.has(run.id) ? branchOf({ workTrees: { folderOf } }, run) : undefined;
      return branch === undefined ? [] : [{ run, branch }];
    })
    .toSorted((one, other) => toEpochMs(other.run.updatedAt) - toEpochMs(one.run.updatedAt));
}

export function openWorkTrees({ repository, state, isWanted }: WorkTreeOptions): WorkTrees {
  const placeOf = (runId: string) => join(state, FOLDER, runId);
  const inRepository = (args: readonly string[]) => git(repository, args);
  return {
    get isWanted() {
      return isWanted();
    },
    folderOf: (runId) => relative(repository, placeOf(runId)).split(sep).join('/'),
    async plan(issueNumber) {
      const inside = await inRepository(['rev-parse', '--show-prefix']);
      if (!inside.isDone) throw noTree(issueNumber, `${repository} is in no git repository (${inside.problem})`);
      const base = await inRepository(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
      if (!base.isDone) throw noTree(issueNumber, 'the repository has no commit yet');
      const branch = await freeBranch(inRepository, `agentx/issue-${issueNumber}`);
      return { branch, base: base.stdout.trim(), inside: inside.stdout.trim().replace(/\/$/, '') };
    },
    async open(runId, tree, { hasBegun }) {
      const folder = placeOf(runId);
      const isThere = await found(inRepository, folder);
      if (!isThere) await make(inRepository, folder, tree, hasBegun);
      mkdirSync(join(folder, tree.inside), { recursive: true });
      return isThere ? undefined : missingIn(inRepository, folder);
    },
    async commit(runId, { inside }, message) {
      const folder = join(placeOf(runId), inside);
      const changes = ['--', ':/', ':(top,exclude,glob)**/.agentx/**', ':(top,exclude).agentx'];
      const addResult = await git(folder, ['add', '--all', ...changes]);
      if (!addResult.isDone) return addResult.problem;
      if ((await git(folder, ['diff', '--cached', '--quiet'])).isDone) return undefined;
      const commitResult = await git(folder, [...(await author(folder)), 'commit', '--no-verify', '-m', message]);
      return commitResult.isDone ? undefined : commitResult.problem;
    },
  };
}

type InRepository = (args: readonly string[]) => Promise<GitResult>;

/** The first of `name`, `name-2`, `name-3` and so on that no branch has. */
async function freeBranch(inRepository: InRepository, name: string): Promise<string> {
  const { stdout } = await inRepository(['for-each-ref', '--format=%(refname:short)', 'refs/heads/agentx']);
  const takenNames = new Set(stdout.split('\n').map((line) => line.toLowerCase()));
  for (let count = 1; ; count++) {
    const branch = count === 1 ? name : `${name}-${count}`;
    if (!takenNames.has(branch)) return branch;
  }
}

/** Whether the tree is there and whole. A tree whose making was cut off is removed; nothing was done in it yet. */
async function found(inRepository: InRepository, folder: string): Promise<boolean> {
  // The repository may have been moved, or the file `.git` of the tree deleted.
  if (existsSync(folder)) await inRepository(['worktree', 'repair', folder]);
  // Git remembers a tree whose folder was deleted, and would refuse to make it again. To prune all such trees would
  // take away the tree that another process just begins to make.
  else await onceOthersAreDone(() => inRepository(['worktree', 'remove', '--force', '--force', folder]));
  if (!existsSync(join(folder, '.git'))) return false;
  const { isDone, stdout, problem } = await onceOthersAreDone(() => inRepository(['worktree', 'list', '--porcelain']));
  if (!isDone) throw new AgentXError('INVALID_STATE', `git cannot list the work trees: ${problem}`);
  const realFolder = realpathSync.native(folder);
  const entry = stdout.split('\n\n').find((one) => one.split('\n').includes(`worktree ${realFolder}`));
  if (entry === undefined || !/^locked initializing/m.test(entry)) return entry !== undefined;
  await inRepository(['worktree', 'remove', '--force', '--force', folder]);
  return false;
}

async function make(
  inRepository: InRepository,
  folder: string,
  { branch, base }: WorkTree,
  hasBegun: boolean,
): Promise<void> {
  const hasBranch = async () =>
    (await inRepository(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])).isDone;
  if (hasBegun && !(await hasBranch())) {
    throw new AgentXError(
      'INVALID_STATE',
      `The run's branch ${branch} is gone, and the run's work with it. Bring the branch back, or let the run go on ` +
        `from where it began: git branch ${branch} ${base.slice(0, 12)}`,
      { branch, base },
    );
  }
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  // Git knows nothing of what lies here; it is kept for a person to look at.
  if (existsSync(folder)) renameSync(folder, `${folder}.left-${Date.now()}`);
  const add = async () =>
    inRepository(
      (await hasBranch()) ? ['worktree', 'add', folder, branch] : ['worktree', 'add', '-b', branch, folder, base],
    );
  let result = await onceOthersAreDone(add);
  if (!result.isDone) {
    // Git may remember the tree where the repository was before it was moved.
    await inRepository(['worktree', 'prune']);
    result = await onceOthersAreDone(add);
  }
  if (!result.isDone) {
    throw new AgentXError('INVALID_STATE', `The work tree of branch ${branch} could not be made: ${result.problem}`, {
      branch,
    });
  }
}

/** Git's refusals while another process is just making a tree, whose files are empty for a moment, or prunes trees. */
const HALF_MADE = /failed to read \S*worktrees\/|could not open \S*worktrees\/.*No such file/;
const MOST_TRIES = 100;
const BETWEEN_TRIES_MS = 50;

async function onceOthersAreDone(work: () => Promise<GitResult>): Promise<GitResult> {
  for (let tries = 1; ; tries++) {
    const result = await work();
    if (result.isDone || !HALF_MADE.test(result.problem) || tries === MOST_TRIES) return result;
    await pause(BETWEEN_TRIES_MS);
  }
}

const MAX_NAMED = 5;

/** The parts of the repository that a new tree lacks. */
async function missingIn(inRepository: InRepository, folder: string): Promise<string | undefined> {
  const { stdout } = await inRepository(['status', '--porcelain=v1', '-z', '--no-renames', '--', '.']);
  const paths = stdout
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
    .filter((path) => !path.split('/').includes('.agentx'));
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  const uncommittedFiles =
    paths.length === 0
      ? []
      : [`Not committed, so the run does not see it: ${paths.slice(0, MAX_NAMED).join(', ')}${more}.`];
  const modules = existsSync(join(folder, '.gitmodules')) ? ['Submodules are empty in the work tree.'] : [];
  const notices = [...uncommittedFiles, ...modules];
  return notices.length === 0 ? undefined : notices.join(' ');
}

/** The author of commits where git does not know the user. */
async function author(folder: string): Promise<readonly string[]> {
  const { isDone } = await git(folder, ['config', '--get', 'user.email']);
  return isDone ? [] : ['-c', 'user.name=AgentX', '-c', 'user.email=agentx@localhost'];
}

function noTree(issueNumber: number, problem: string): AgentXError {
  return new AgentXError(
    'CONFIG_ERROR',
    `[run] isolation = "worktree" in .agentx/config.toml needs git, and ${problem}. ` +
      `Commit something first, or run in this folder with: agentx run ${issueNumber} --here`,
    { file: '.agentx/config.toml' },
  );
}
