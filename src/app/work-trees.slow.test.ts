import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openWorkTrees } from './work-trees.js';

/* Against real repositories of a real git. */

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];

function gitIn(cwd: string) {
  return (...args: readonly string[]) =>
    execFileSync('git', [...AUTHOR, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
}

function aRepository({ inside = '' } = {}) {
  const top = temporaryFolder();
  const git = gitIn(top);
  git('init', '--initial-branch', 'main');
  mkdirSync(join(top, inside), { recursive: true });
  writeFileSync(join(top, inside, 'a.txt'), 'one\n');
  git('add', '.');
  git('commit', '-m', 'first');
  return { top, git, repository: join(top, inside), trees: treesOf(join(top, inside)) };
}

function treesOf(repository: string) {
  return openWorkTrees({ repository, state: join(repository, '.agentx', 'state'), isWanted: () => true });
}

const RUN = 'run-4-0a1b2c3d';
const FRESH = { hasBegun: false };
const BEGUN = { hasBegun: true };

async function opened(options: { readonly inside?: string } = {}) {
  const fixture = aRepository(options);
  const tree = await fixture.trees.plan(4);
  const notice = await fixture.trees.open(RUN, tree, FRESH);
  const folder = join(fixture.repository, fixture.trees.folderOf(RUN));
  return { ...fixture, tree, notice, folder, place: join(folder, tree.inside) };
}

describe('the work tree of a run', () => {
  it('has what is committed and a branch of its own; its commits leave the repository as it is', async () => {
    const { trees, tree, folder, repository, git } = await opened();
    expect(tree.branch).toBe('agentx/issue-4');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    mkdirSync(join(folder, '.agentx'));
    writeFileSync(join(folder, '.agentx', 'config.toml'), 'owned');
    expect(await trees.commit(RUN, tree, 'Two (#4)')).toBeUndefined();
    expect(await trees.commit(RUN, tree, 'Nothing is left (#4)')).toBeUndefined();
    expect(git('log', '--format=%s', 'main..agentx/issue-4')).toBe('Two (#4)\n');
    expect(git('diff', '--name-only', 'main', 'agentx/issue-4')).toBe('a.txt\n');
    expect(readFileSync(join(repository, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('is found again by another process, with what is not committed yet', async () => {
    const { repository, tree, folder } = await opened();
    writeFileSync(join(folder, 'b.txt'), 'half');
    expect(await treesOf(repository).open(RUN, tree, BEGUN)).toBeUndefined();
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('half');
  });

  it('is made again, at its branch, where its folder was removed in any way', async () => {
    const { trees, tree, folder, git } = await opened();
    writeFileSync(join(folder, 'b.txt'), 'kept');
    await trees.commit(RUN, tree, 'B (#4)');
    rmSync(folder, { recursive: true });
    await trees.open(RUN, tree, BEGUN);
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('kept');
    git('worktree', 'remove', folder);
    await trees.open(RUN, tree, BEGUN);
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('kept');
    rmSync(join(folder, '.git'));
    writeFileSync(join(folder, 'c.txt'), 'not committed');
    await trees.open(RUN, tree, BEGUN);
    expect(readFileSync(join(folder, 'c.txt'), 'utf8')).toBe('not committed');
  });

  it('is whole after its making was cut off, and never taken for one in which files were deleted', async () => {
    const { top, trees, tree, folder, git } = await opened();
    // As kill -9 leaves it: registered, locked by its maker, the files not checked out yet.
    rmSync(join(folder, 'a.txt'));
    writeFileSync(join(top, '.git', 'worktrees', RUN, 'locked'), 'initializing\n');
    await trees.open(RUN, tree, FRESH);
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);
    expect(git('worktree', 'list', '--porcelain')).not.toContain('locked');
  });

  it('says what to do if the branch of a run that has begun is gone', async () => {
    const { trees, tree, folder, git } = await opened();
    rmSync(folder, { recursive: true });
    git('worktree', 'prune');
    git('branch', '-D', tree.branch);
    await expect(trees.open(RUN, tree, BEGUN)).rejects.toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining(`git branch ${tree.branch} ${tree.base.slice(0, 12)}`),
    });
    git('branch', tree.branch, tree.base.slice(0, 12));
    await trees.open(RUN, tree, BEGUN);
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);
  });

  it('goes with a repository that was moved', async () => {
    const { top, tree, folder } = await opened();
    writeFileSync(join(folder, 'b.txt'), 'half');
    const movedPath = `${top}-moved`;
    renameSync(top, movedPath);
    const trees = treesOf(movedPath);
    await trees.open(RUN, tree, BEGUN);
    expect(readFileSync(join(movedPath, trees.folderOf(RUN), 'b.txt'), 'utf8')).toBe('half');
    expect(await trees.commit(RUN, tree, 'B (#4)')).toBeUndefined();
    expect(gitIn(movedPath)('diff', '--name-only', 'main', tree.branch)).toBe('b.txt\n');
    rmSync(movedPath, { recursive: true });
  });

  it('is made again where its repository was moved and its folder removed', async () => {
    const { top, tree, folder } = await opened();
    rmSync(folder, { recursive: true });
    const movedPath = `${top}-moved`;
    renameSync(top, movedPath);
    const trees = treesOf(movedPath);
    await trees.open(RUN, tree, BEGUN);
    expect(readFileSync(join(movedPath, trees.folderOf(RUN), 'a.txt'), 'utf8')).toBe('one\n');
    rmSync(movedPath, { recursive: true });
  });

  it('takes another branch where a branch of that name exists, and begins at a detached HEAD', async () => {
    const { git, trees, top } = aRepository();
    git('branch', 'agentx/issue-4');
    git('branch', 'agentx/issue-4-2');
    writeFileSync(join(top, 'b.txt'), 'b');
    git('add', '.');
    git('commit', '-m', 'second');
    git('checkout', '--detach', 'HEAD~1');
    const tree = await trees.plan(4);
    expect(tree).toEqual({ branch: 'agentx/issue-4-3', base: git('rev-parse', 'HEAD').trim(), inside: '' });
    await trees.open(RUN, tree, FRESH);
    expect(existsSync(join(top, trees.folderOf(RUN), 'b.txt'))).toBe(false);
  });

  it('tells what of the repository it lacks: changes that are not committed, and submodules', async () => {
    const { trees, git, top } = aRepository();
    const other = aRepository();
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', other.top, 'lib');
    git('commit', '-m', 'lib');
    writeFileSync(join(top, 'a.txt'), 'changed');
    writeFileSync(join(top, 'new file.txt'), '');
    const tree = await trees.plan(4);
    expect(await trees.open(RUN, tree, FRESH)).toBe(
      'Not committed, so the run does not see it: a.txt, new file.txt. Submodules are empty in the work tree.',
    );
  });

  it('holds a project that is a part of its repository', async () => {
    const { place, tree, trees, git } = await opened({ inside: 'packages/shop' });
    expect(tree.inside).toBe('packages/shop');
    writeFileSync(join(place, 'b.txt'), 'b');
    await trees.commit(RUN, tree, 'B (#4)');
    expect(git('diff', '--name-only', 'main', tree.branch)).toBe('packages/shop/b.txt\n');
  });

  it('is made for several runs at the same moment', async () => {
    const { repository } = aRepository();
    const numbers = [1, 2, 3, 4, 5, 6];
    const folders = await Promise.all(
      numbers.map(async (number) => {
        const trees = treesOf(repository);
        const tree = await trees.plan(number);
        await trees.open(`run-${number}-0a1b2c3d`, tree, FRESH);
        return join(repository, trees.folderOf(`run-${number}-0a1b2c3d`), 'a.txt');
      }),
    );
    expect(folders.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('is made, and found again, once a tree is whole that another process is just making', async () => {
    const { repository, top, trees } = aRepository();
    const other = join(top, '.git', 'worktrees', 'other');
    const commondir = join(other, 'commondir');
    const halfMade = () => writeFileSync(commondir, '');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'locked'), 'initializing\n');
    writeFileSync(join(other, 'gitdir'), `${join(top, 'elsewhere', '.git')}\n`);
    writeFileSync(join(other, 'HEAD'), 'ref: refs/heads/other\n');
    const tree = await trees.plan(4);
    for (const workTrees of [trees, treesOf(repository)]) {
      halfMade();
      const opening = workTrees.open(RUN, tree, FRESH);
      setTimeout(() => writeFileSync(commondir, '../..\n'), 300);
      await opening;
      expect(readFileSync(join(repository, trees.folderOf(RUN), 'a.txt'), 'utf8')).toBe('one\n');
    }
  });

  it('leaves the tree alone that another process just begins to make', async () => {
    const { top, trees } = aRepository();
    // As git leaves it for a moment, before it says that the tree is locked.
    const other = join(top, '.git', 'worktrees', 'other');
    mkdirSync(other, { recursive: true });
    await trees.open(RUN, await trees.plan(4), FRESH);
    expect(existsSync(other)).toBe(true);
  });

  it.each([
    ['no repository', () => temporaryFolder(), 'is in no git repository'],
    [
      'no commit',
      () => {
        const folder = temporaryFolder();
        gitIn(folder)('init');
        return folder;
      },
      'the repository has no commit yet',
    ],
  ])('is refused where there is %s, with what to do', async (_, make, problem) => {
    await expect(treesOf(make()).plan(4)).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringMatching(new RegExp(`${problem}.*agentx run 4 --here`)),
    });
  });
});
