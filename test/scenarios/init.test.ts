import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx } from './support/agentx.js';

/** Every file with its content and time. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const content = (name: string) =>
    `${statSync(join(folder, name)).mtimeMs} ${readFileSync(join(folder, name), 'utf8')}`;
  return Object.fromEntries(files.map((name) => [name, content(name)]));
}

describe('agentx init', () => {
  it('turns a fresh repository into one to work in', () => {
    const cwd = temporaryFolder();
    const before = agentx(cwd, ['ready']);
    expect(before.status).toBe(4);
    expect(before.stderr).toContain('Make one: agentx init');

    const made = agentx(cwd, ['init']);
    expect(made.status).toBe(0);
    expect(made.stdout).toContain('created  .agentx/config.toml\n');
    expect(made.stdout).toContain('created  .agentx/workflows/feature.toml\n');
    expect(made.stderr).toContain('agentx issue create');

    expect(agentx(cwd, ['ready']).stdout).toContain('Create an issue: agentx issue create');
    expect(agentx(cwd, ['trust']).stdout).toBe('Nothing to approve: config.toml names no programs.\n');
  });

  it('offers no runner in config.toml that this version does not have', () => {
    const cwd = temporaryFolder();
    agentx(cwd, ['init']);
    const config = readFileSync(join(cwd, '.agentx/config.toml'), 'utf8');
    const offered = [...config.matchAll(/^# runner = "([a-z]+)"/gm)].map(([, runner]) => runner);
    const ask = ['ask', '--issue', '0', '--from', 'engineer', '--to', 'architect', '--topic', 'X', '-q', 'Y'];
    const [, allowed = ''] = /Allowed runners: (.*?)\./.exec(agentx(cwd, ask).stderr) ?? [];
    expect(offered).toEqual(['command', 'human']);
    expect(allowed.split(', ')).toEqual(expect.arrayContaining(offered));
  });

  it('tells of a folder above, which commands here will not find any more', () => {
    const cwd = temporaryFolder();
    agentx(cwd, ['init']);
    const below = join(cwd, 'packages/shop');
    mkdirSync(below, { recursive: true });
    const { status, stderr } = agentx(below, ['init']);
    expect(status).toBe(0);
    expect(stderr).toContain(
      `note: ${join(cwd, '.agentx')} was there already; in this folder the new one counts now.\n`,
    );
    expect(agentx(below, ['init']).stderr).not.toContain('note: ');
  });

  it('changes nothing the second time', () => {
    const cwd = temporaryFolder();
    agentx(cwd, ['init']);
    const before = contentsOf(join(cwd, '.agentx'));
    const again = agentx(cwd, ['init']);
    expect(again).toMatchObject({ status: 0, stdout: 'Nothing to do: all 21 files are there already.\n' });
    expect(contentsOf(join(cwd, '.agentx'))).toEqual(before);
  });

  it("keeps the user's files and says where they differ from what was asked for", () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.agentx/workflows'), { recursive: true });
    writeFileSync(join(cwd, '.agentx/workflows/bug.toml'), '# mine\n');
    writeFileSync(join(cwd, '.agentx/config.toml'), 'mode = "local"\n');
    const { status, stdout, stderr } = agentx(cwd, ['init', '--repo', 'octocat/shop']);
    expect(status).toBe(0);
    expect(stdout).toContain('kept     .agentx/workflows/bug.toml\n');
    expect(stderr).toContain('note: .agentx/config.toml was there already and has no github.repo.');
    expect(readFileSync(join(cwd, '.agentx/workflows/bug.toml'), 'utf8')).toBe('# mine\n');
    expect(readFileSync(join(cwd, '.agentx/config.toml'), 'utf8')).toBe('mode = "local"\n');
  });

  it('tells programs what it did, and works on the folder that --root or AGENTX_ROOT names', () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'one'));
    mkdirSync(join(cwd, 'two'));
    const root = join(cwd, 'one/.agentx');
    expect(agentx(cwd, ['init', '--root', 'one', '--json']).json()).toMatchObject({ root, existing: [], notes: [] });
    const env = { AGENTX_ROOT: join(cwd, 'two/.agentx') };
    expect(agentx(cwd, ['init', '--json'], { env }).json()).toMatchObject({ root: env.AGENTX_ROOT, existing: [] });
    expect(agentx(cwd, ['issue', 'create', '-t', 'First'], { env }).status).toBe(0);
    expect(readdirSync(cwd)).toEqual(['one', 'two']);
  });

  it.each([
    [['--mode', 'svn'], "--mode cannot be 'svn'. Allowed: local, github."],
    [['--repo', 'shop'], "'shop' is no repository. Allowed: owner/name"],
    [['here'], 'oo many arguments'],
  ])('refuses %j and writes nothing', (args, message) => {
    const cwd = temporaryFolder();
    const { status, stderr } = agentx(cwd, ['init', ...args]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
