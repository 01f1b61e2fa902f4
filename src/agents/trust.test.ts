import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { NotifyTable } from '../protocol/notify.js';
import { FileLockManager } from '../storage/files/json-file-lock.js';
import type { AgentTable } from './agents-config.js';
import { needsTrust, openTrust, programsOf } from './trust.js';

const architect = { runner: 'command', command: ['node', 'architect.mjs'] };
const config = { agents: { architect } };

describe('trust', () => {
  it('refuses the programs of a config until they are approved', async () => {
    const { trust, repository } = aHome();
    const { code, message } = refusalOf(() => trust.requireApproval(config, 'architect'));
    expect(code).toBe('UNAUTHORIZED');
    expect(message).toContain(`Agent 'architect' would run node architect.mjs`);
    expect(message).toContain(repository);
    expect(message).toContain('agentx trust');
    await trust.approve(config, new FileLockManager());
    trust.requireApproval(config, 'architect');
    expect(trust.isApproved(config)).toBe(true);
  });

  it('remembers across processes, whatever the order of the tables', async () => {
    const { open, repository } = aHome();
    const engineer = { runner: 'command', command: ['engineer'], env: { A: '1', B: '2' } };
    await open(repository).approve({ agents: { architect, engineer } }, new FileLockManager());
    const reordered = { agents: { engineer: { ...engineer, env: { B: '2', A: '1' } }, architect } };
    expect(open(repository).isApproved(reordered)).toBe(true);
  });

  const changes: readonly (readonly [string, Record<string, AgentTable>])[] = [
    ['a changed argument', { architect: { ...architect, command: ['node', 'other.mjs'] } }],
    ['an argument split in two', { architect: { ...architect, command: ['node', 'architect', '.mjs'] } }],
    ['a variable', { architect: { ...architect, env: { NODE_OPTIONS: '--require ./x.cjs' } } }],
    ['one more program', { architect, engineer: { runner: 'command', command: ['engineer'] } }],
    ['the same program for another agent', { engineer: architect }],
  ];
  it.each(changes)('asks again for %s', async (_, agents) => {
    const { trust } = aHome();
    await trust.approve(config, new FileLockManager());
    expect(trust.isApproved({ agents })).toBe(false);
    expect(trust.isApproved(config)).toBe(true);
  });

  it('asks again when a script beside the programs changed', async () => {
    const { trust, repository } = aHome();
    const agents = { architect, engineer: { runner: 'script', script: 'demo.toml' } };
    writeFileSync(join(repository, 'demo.toml'), 'turns = []');
    await trust.approve({ agents }, new FileLockManager());
    expect(trust.isApproved({ agents })).toBe(true);
    writeFileSync(join(repository, 'demo.toml'), '[[turns]]');
    expect(trust.isApproved({ agents })).toBe(false);
  });

  it('holds for one repository, by whatever path it is reached', async () => {
    const { trust, open, home, repository } = aHome();
    await trust.approve(config, new FileLockManager());
    const other = join(home, 'other');
    mkdirSync(other);
    symlinkSync(repository, join(home, 'link'));
    expect(open(other).isApproved(config)).toBe(false);
    expect(open(join(home, 'link')).isApproved(config)).toBe(true);
  });

  it('has nothing to refuse where no program is started', () => {
    const { trust } = aHome();
    expect(trust.isApproved({ agents: { a: { runner: 'human' }, b: { runner: 'script', script: 'b.toml' } } })).toBe(
      true,
    );
  });

  it.each([
    ['1', true],
    ['0', false],
    ['', false],
    ['true', false],
  ])('is overridden by AGENTX_TRUST=%s: %s', (value, isApproved) => {
    expect(aHome({ AGENTX_TRUST: value }).trust.isApproved(config)).toBe(isApproved);
  });

  it('keeps its file private in the state folder of the user', async () => {
    const { trust, home } = aHome();
    expect(trust.file).toBe(join(home, '.local/state/agentx/trust.json'));
    await trust.approve(config, new FileLockManager());
    expect(statSync(trust.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(trust.file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(trust.file))).toEqual(['trust.json']);
  });

  it('obeys an absolute XDG_STATE_HOME only', () => {
    expect(aHome({ XDG_STATE_HOME: '/state' }).trust.file).toBe('/state/agentx/trust.json');
    expect(aHome({ XDG_STATE_HOME: './state' }).trust.file).toMatch(/\.local\/state\/agentx\/trust\.json$/);
  });

  it('loses nothing when many approve at once', async () => {
    const { home, open } = aHome();
    const repositories = Array.from({ length: 20 }, (_, index) => join(home, `repository-${index}`));
    for (const repository of repositories) mkdirSync(repository);
    await Promise.all(repositories.map((repository) => open(repository).approve(config, new FileLockManager())));
    expect(repositories.filter((repository) => !open(repository).isApproved(config))).toEqual([]);
  });

  it('keeps fields that it does not know', async () => {
    const { trust } = aHome();
    mkdirSync(dirname(trust.file), { recursive: true });
    writeFileSync(trust.file, '{"note":"mine","approved":{"00":{"repository":"/old","by":"me"}}}');
    await trust.approve(config, new FileLockManager());
    expect(JSON.parse(readFileSync(trust.file, 'utf8'))).toMatchObject({
      note: 'mine',
      approved: { '00': { repository: '/old', by: 'me' } },
    });
  });

  it.each(['', '{', '[]', '{"approved":[1]}'])('neither believes nor overwrites a file that says %j', async (text) => {
    const { trust } = aHome();
    mkdirSync(dirname(trust.file), { recursive: true });
    writeFileSync(trust.file, text);
    expect(refusalOf(() => trust.isApproved(config)).code).toBe('CORRUPT_FILE');
    await expect(trust.approve(config, new FileLockManager())).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    expect(readFileSync(trust.file, 'utf8')).toBe(text);
  });

  function aHome(variables: Record<string, string> = {}) {
    const home = temporaryFolder();
    const repository = join(home, 'repository');
    mkdirSync(repository);
    const open = (folder: string) => openTrust({ repository: folder, env: { HOME: home, ...variables } });
    return { home, repository, open, trust: open(repository) };
  }
});

describe('needsTrust', () => {
  const ANN = 'ann@example.com';

  it.each([
    [{ channel: 'mail', url: 'smtp://mail.example.com', from: ANN, to: [ANN] }],
    // A mail server of this machine sends to any place, and a server elsewhere reads what it is given for others.
    [{ channel: 'mail', url: 'smtp://127.0.0.1:25', from: ANN, to: ['env:ME', ANN] }],
    [{ channel: 'mail', url: 'env:MAIL', from: ANN, to: [ANN] }],
    [{ channel: 'mail', url: 'smtp://mail.example.com', from: ANN, to: ['env:ME'] }],
    [{ channel: 'webhook', url: 'https://hooks.example.com/x' }],
    [{ channel: 'command', command: ['tell'] }],
  ])('holds for what the config alone decides: %j', (table) => {
    expect(needsTrust(NotifyTable.parse(table))).toBe(true);
  });

  it.each([
    [{ channel: 'mail', url: 'env:MAIL', from: ANN, to: ['env:ME'] }],
    [{ channel: 'mail', url: 'smtp://127.0.0.1:25', from: ANN, to: ['env:ME'] }],
    [{ channel: 'webhook', url: 'env:HOOK' }],
    [{ channel: 'slack', url: 'http://127.0.0.1:8080/x' }],
    [{ channel: 'desktop' }],
  ])('does not hold for what stays here or is in a variable: %j', (table) => {
    expect(needsTrust(NotifyTable.parse(table))).toBe(false);
  });
});

describe('programsOf', () => {
  it('says to whom and by which server mail is sent, without its password', () => {
    const url = 'smtps://ann:secret@mail.example.com';
    const table = NotifyTable.parse({ channel: 'mail', url, from: 'a@example.com', to: ['ann@example.com'] });
    expect(programsOf({ agents: {}, notify: [table] }).map(({ shown }) => shown)).toEqual([
      'sends questions to ann@example.com by smtps://mail.example.com/... (mail)',
    ]);
  });

  it('says where a model is, without a password', () => {
    const base_url = 'https://ann:secret@models.example.com/v1?key=hidden';
    const table = { runner: 'model', model: 'compatible/m', base_url };
    expect(programsOf({ agents: { engineer: table } }).map(({ shown }) => shown)).toEqual([
      'sends files of this repository, and your key, to https://models.example.com/v1 (compatible/m)',
    ]);
  });

  it('lists what would be run, with nothing hidden', () => {
    const agents = {
      reviewer: { runner: 'command', command: ['sh', '-c', 'echo "hi"'], env: { NODE_OPTIONS: '--require ./x.cjs' } },
      engineer: { runner: 'human' },
      architect: { runner: 'command', command: ['node', 'a\u001b[2K\u202eb\u009b', '.agentx/run.mjs'] },
    };
    expect(programsOf({ agents }).map(({ agent, shown }) => [agent, shown])).toEqual([
      ['architect', 'node "a\\u001b[2K\\u202eb\\u009b" .agentx/run.mjs'],
      ['reviewer', 'NODE_OPTIONS="--require ./x.cjs" sh -c "echo \\"hi\\""'],
    ]);
  });
});
