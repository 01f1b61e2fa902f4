import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { KNOWN_AGENTS } from '../protocol/ids.js';
import { SHIPPED_AGENTS } from '../workflow/shipped/agents.js';
import { loadConfig } from './config.js';
import { initFolder } from './init.js';
import { openWorkflows } from './workflows.js';

function aRepository(): string {
  const repository = join(temporaryFolder(), 'shop');
  mkdirSync(repository);
  return repository;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .sort();

describe('init', () => {
  it('writes config, workflows, role instructions and .gitignore, and says so', () => {
    const repository = aRepository();
    const { root, created, existing, notes } = initFolder({ repository });
    expect(root).toBe(join(repository, '.agentx'));
    expect(created).toHaveLength(6 + SHIPPED_AGENTS.length);
    expect(filesIn(root).map((name) => `.agentx/${name}`)).toEqual(created.toSorted());
    expect([existing, notes]).toEqual([[], []]);
  });

  it('writes a config.toml that says the defaults and is called like its folder', () => {
    const repository = aRepository();
    const { root } = initFolder({ repository });
    const writtenConfig = loadConfig(root);
    expect(writtenConfig.project).toBe('shop');
    writeFileSync(join(root, 'config.toml'), '');
    expect(writtenConfig).toEqual(loadConfig(root));
  });

  it('writes a config.toml whose examples are right', () => {
    const { root } = initFolder({ repository: aRepository() });
    const path = join(root, 'config.toml');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/^# (?=\[|\w+ = )/gm, ''));
    expect(Object.keys(loadConfig(root).agents)).toEqual(['architect', 'product-manager']);
  });

  it('writes no setting that nothing follows, unless it was asked for', () => {
    const textFor = (repo?: string) =>
      readFileSync(join(initFolder({ repository: aRepository(), repo }).root, 'config.toml'), 'utf8');
    expect(textFor()).not.toMatch(/memory|\[github\]/);
    expect(textFor('octocat/shop')).toMatch(/^\[github\] +# for mode = "github"/m);
  });

  it('writes workflows that load', async () => {
    const { root } = initFolder({ repository: aRepository() });
    const workflows = openWorkflows({ root, agents: KNOWN_AGENTS });
    for (const type of ['feature', 'story', 'bug', 'epic']) {
      expect((await workflows.forIssue({ labels: [`type:${type}`] })).file).toBe(`.agentx/workflows/${type}.toml`);
    }
  });

  it('takes mode and repository', () => {
    const { root, notes } = initFolder({ repository: aRepository(), mode: 'local', repo: 'octocat/shop' });
    expect(loadConfig(root)).toMatchObject({ mode: 'local', github: { repo: 'octocat/shop', mention: [] } });
    expect(notes).toEqual([]);
  });

  it('writes nothing for a mode that no command could then work in', () => {
    const repository = aRepository();
    expect(refusalOf(() => initFolder({ repository, mode: 'github' })).code).toBe('INVALID_INPUT');
    expect(readdirSync(repository)).toEqual([]);
  });

  it('changes nothing the second time', () => {
    const repository = aRepository();
    const { created } = initFolder({ repository });
    const again = initFolder({ repository });
    expect(again.created).toEqual([]);
    expect(again.existing).toEqual(created);
  });

  it("never overwrites a user's file, not even a broken link, and says what it therefore did not do", () => {
    const repository = aRepository();
    const root = join(repository, '.agentx');
    mkdirSync(join(root, 'workflows'), { recursive: true });
    writeFileSync(join(root, 'config.toml'), 'project = "mine"\n');
    writeFileSync(join(root, '.gitignore'), 'state/\n');
    symlinkSync(join(repository, 'nowhere.toml'), join(root, 'workflows', 'bug.toml'));
    const { existing, notes } = initFolder({ repository, repo: 'octocat/shop' });
    expect(existing).toEqual(['.agentx/config.toml', '.agentx/workflows/bug.toml', '.agentx/.gitignore']);
    expect(readFileSync(join(root, 'config.toml'), 'utf8')).toBe('project = "mine"\n');
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('state/\n');
    expect(readdirSync(repository)).toEqual(['.agentx']);
    expect(notes).toEqual([
      '.agentx/config.toml was there already and has no github.repo. To change it, write github.repo = "octocat/shop" there.',
    ]);
  });

  it('quotes a folder name that would break the file', () => {
    const repository = join(temporaryFolder(), 'a "b" \\ c\u007f\n[server]');
    mkdirSync(repository);
    expect(loadConfig(initFolder({ repository }).root).project).toBe('a "b" \\ c\u007f\n[server]');
  });

  it('refuses what is no repository and writes nothing', () => {
    const repository = aRepository();
    const refusal = refusalOf(() => initFolder({ repository, repo: 'shop"\n[agents.x]' }));
    expect(refusal.code).toBe('INVALID_INPUT');
    expect(readdirSync(repository)).toEqual([]);
  });

  it('writes a .gitignore that covers locks under .agentx/state and leaves the rest to be shared [US-1.3/1]', () => {
    const repository = aRepository();
    execFileSync('git', ['init', '-q', repository]);
    const { root, created } = initFolder({ repository });
    mkdirSync(join(root, 'state', 'clarifications'), { recursive: true });
    writeFileSync(join(root, 'state', 'clarifications', 'issue-42.json.lock'), '');
    writeFileSync(join(root, 'issues.lock'), '');
    const visibleFiles = execFileSync('git', ['-C', repository, 'ls-files', '-o', '--exclude-standard'], {
      encoding: 'utf8',
    });
    expect(visibleFiles.trim().split('\n').sort()).toEqual(created.toSorted());
  });
});
