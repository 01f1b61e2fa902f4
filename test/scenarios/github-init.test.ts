import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startFakeGithub } from '../github/start.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { userOf } from './support/github.js';

function aClone(remote: string): string {
  const cwd = temporaryFolder();
  for (const args of [
    ['init', '-q'],
    ['remote', 'add', 'origin', remote],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
  return cwd;
}

describe('agentx init --mode github', () => {
  it('finds the repository of the git remote, makes the labels, and leaves nothing to configure', async () => {
    const github = await startFakeGithub();
    github.repository.createIssue({ title: 'Health endpoint' });
    for (const remote of ['https://github.com/octocat/shop', 'git@github.com:octocat/shop.git']) {
      const cwd = aClone(remote);
      const { status, stderr } = await userOf(cwd, github).run(['init', '--mode', 'github']);
      expect(status, stderr).toBe(0);
      const config = readFileSync(join(cwd, '.agentx/config.toml'), 'utf8');
      expect(config, remote).toMatch(/^mode = "github"/m);
      expect(config, remote).toMatch(/^repo = "octocat\/shop"/m);
      const labels = github.repository.labels.map(({ name }) => name);
      expect(labels.toSorted()).toEqual(['clarification:active', 'clarification:stale']);
      expect((await userOf(cwd, github).run(['issue', 'list'])).stdout).toContain('Health endpoint');
    }
  });

  it('says what is missing: a token, a right, a repository', async () => {
    const github = await startFakeGithub({ viewer: { login: 'guest', role: 'read' } });
    const without = aClone('git@github.com:octocat/shop.git');
    const nowhere = await userOf(without, github).run(['init', '--mode', 'github'], {
      env: { GITHUB_TOKEN: '', GH_TOKEN: '' },
    });
    expect(nowhere.stdout + nowhere.stderr).toMatch(/GITHUB_TOKEN/);
    const guest = await userOf(aClone('git@github.com:octocat/shop.git'), github).run(['init', '--mode', 'github']);
    expect(guest.stdout + guest.stderr).toMatch(/write access|may not write|push/i);
    const other = aClone('git@github.com:octocat/other.git');
    const missing = await userOf(other, github).run(['init', '--mode', 'github']);
    expect(missing.stdout + missing.stderr).toContain('octocat/other');
    const none = temporaryFolder();
    const unnamed = await userOf(none, github).run(['init', '--mode', 'github']);
    expect(unnamed.status).toBe(2);
    expect(unnamed.stderr).toContain('--repo');
    expect(existsSync(join(none, '.agentx/config.toml'))).toBe(false);
  });
});
