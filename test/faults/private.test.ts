import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JsonFileLock } from '../../src/storage/files/json-file-lock.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { KIND_NAMES, kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import { aLockOfOurs, deadProcess, putHeir, putLock } from './support/lock-files.js';
import { ledgerPath } from './support/paths.js';

describe('git', () => {
  it('never sees a lock, not even while it is held [US-1.3/2]', async () => {
    const { repository, root } = await repositoryWithStore();
    const lock = new JsonFileLock();
    const issue = join(root, 'issues/1.json');
    await lock.acquire(issue, 'holder');
    await lock.acquire(ledgerPath(root), 'holder');
    const orphan = aLockOfOurs({ pid: deadProcess() });
    putLock(join(root, 'issues/2.json'), orphan);
    putHeir(join(root, 'issues/2.json'), orphan, orphan);
    writeFileSync(`${issue}.${orphan.token}.tmp`, '{');
    expect(readdirSync(join(root, 'issues'))).toContain('1.json.lock');
    expect(changesIn(repository)).toEqual([
      '.agentx/.gitignore',
      '.agentx/issues/1.json',
      '.agentx/memory/issue-42.json',
    ]);
    git(repository, 'add', '--all');
    expect(git(repository, 'diff', '--cached', '--name-only').trim().split('\n')).toEqual(changesIn(repository));
    lock.release(issue);
    lock.release(ledgerPath(root));
  });

  it('sees what people share and nothing that is private, damaged or derived [US-1.3/3]', async () => {
    const { repository, root } = await repositoryWithStore();
    const shared = [
      'agents/architect.md',
      'config.toml',
      'issues/7.json',
      'memory/issue-7.json',
      'workflows/feature.toml',
    ];
    const hidden = [
      'config.toml.corrupt-20260226',
      'digests/DIGEST-2026-W09.md',
      'issues/7.json.corrupt-20260226',
      'memory/archive/issue-1.json',
      'memory/manifest.json',
      'state/sessions/1.json',
      'state/token',
    ];
    for (const name of [...shared, ...hidden]) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), '{}');
    }
    const expected = ['.gitignore', 'issues/1.json', 'memory/issue-42.json', ...shared].map(
      (name) => `.agentx/${name}`,
    );
    expect(changesIn(repository)).toEqual(expected.toSorted());
  });
});

describe('what is kept in the state folder', () => {
  it('can be read by its owner alone', async () => {
    const { root } = await repositoryWithStore();
    const store = openFileStore({ root });
    await store.statuses.update([], () => ({ next: {}, result: 0 }));
    await store.ledgers.list({ active: true });
    await expect.poll(() => litterIn(root)).toEqual([]);
    const inside = readdirSync(join(root, 'state'), { recursive: true, encoding: 'utf8' });
    expect(inside.length).toBeGreaterThan(8);
    for (const name of ['', ...inside]) {
      const stat = statSync(join(root, 'state', name));
      const mode = (stat.mode & 0o777).toString(8);
      expect({ name, mode }).toEqual({ name, mode: stat.isDirectory() ? '700' : '600' });
    }
  });

  it('is not opened up by an update, and a file that its owner opened up stays as it is', async () => {
    const { root } = await repositoryWithStore();
    const store = openFileStore({ root });
    for (const mode of [0o600, 0o640]) {
      chmodSync(ledgerPath(root), mode);
      await kinds.clarification.add(store, 'next');
      expect(statSync(ledgerPath(root)).mode & 0o777).toBe(mode);
    }
  });
});

async function repositoryWithStore(): Promise<{ repository: string; root: string }> {
  const repository = temporaryFolder();
  git(repository, 'init', '--quiet');
  const root = join(repository, '.agentx');
  for (const kind of KIND_NAMES) await kinds[kind].add(openFileStore({ root }), 'first');
  return { repository, root };
}

/** Every file that git would offer for a commit. */
function changesIn(repository: string): string[] {
  const lines = git(repository, 'status', '--porcelain', '--ignored=no', '-uall').trim().split('\n');
  return lines.map((line) => line.trim().replace(/^\S+\s+/, '')).sort();
}

function git(repository: string, ...args: string[]): string {
  // The settings of the user who runs the tests, such as a global ignore file, must not matter.
  const env = { PATH: process.env.PATH, HOME: repository, GIT_CONFIG_NOSYSTEM: '1', XDG_CONFIG_HOME: repository };
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', env });
}
