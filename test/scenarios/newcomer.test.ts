import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, aRepository, askArguments } from './support/agentx.js';
import { aRunnable, eventsOf, storeOf } from './support/runs.js';
import { KEYS, onTerminal } from './support/terminal.js';

describe('who knows nothing yet', () => {
  it('is told the version, wherever they are', () => {
    const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
    for (const flag of ['--version', '-V']) {
      expect(agentx(temporaryFolder(), [flag])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it('finds the first steps in the help', () => {
    const { stdout } = agentx('.', ['--help']);
    expect(stdout).toContain('First steps:');
    for (const step of ['agentx demo', 'agentx init', 'agentx issue create', 'agentx run 1', 'agentx inbox']) {
      expect(stdout).toContain(`\n  ${step}`);
    }
  });

  it.each([['clarify'], ['clarify', 'stale'], ['run']])('gets the same help both ways: %j', (...path) => {
    const help = agentx('.', ['help', ...path]);
    expect(help).toMatchObject({ status: 0, stderr: '', stdout: agentx('.', [...path, '--help']).stdout });
  });

  it.each([
    [['help', 'claryfi'], expect.stringContaining("error: There is no help for 'claryfi'. Did you mean 'clarify'?")],
    [['help', 'configuraton'], expect.stringContaining("for 'configuraton'. Did you mean 'configuration'?")],
    [['help', 'inbox.dm'], expect.stringContaining("for 'inbox.dm'. Did you mean 'inbox.md'?")],
    [
      ['help', 'hook', 'begin'],
      "error: There is no 'agentx hook begin'. Allowed: start, finish. See: agentx hook --help\n",
    ],
    [
      ['help', 'ready', 'now'],
      "error: There is no 'agentx ready now': 'agentx ready' has nothing below it. See: agentx ready --help\n",
    ],
  ])('is told what there is no help for: %j', (args, stderr) => {
    expect(agentx('.', args)).toMatchObject({ status: 2, stdout: '', stderr });
  });
});

describe('who has just made a folder', () => {
  it('is told of every agent that is not set up yet, at once', async () => {
    const cwd = await aRepository({
      config: '[agents.architect]\nrunner = "human"\n',
      issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
    });
    const { status, stdout, stderr } = agentx(cwd, ['run', '1']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain("Agent 'product-manager' has no table in .agentx/config.toml.");
    expect(stderr).toContain('\n       [agents.product-manager]\n');
    expect(stderr).toContain('\n       Also to be set up: ux-designer, engineer, reviewer.\n');
    expect(agentx(cwd, ['run', '1', '--json']).json()).toMatchObject({
      error: { code: 'CONFIG_ERROR', details: { others: ['ux-designer', 'engineer', 'reviewer'] } },
    });
  });

  it('is told in one sentence what is wrong with a file', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
    writeFileSync(join(cwd, '.agentx/issues/1.json'), '[]');
    expect(agentx(cwd, ['issue', 'show', '1'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^error: \S+1\.json is damaged: The issue is not valid: the value must be an object\. It is left as it is; "agentx doctor/,
      ),
    });
  });

  it('is told what is in the way of one', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.agentx'), '');
    expect(agentx(cwd, ['init'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^error: Cannot write \S+config\.toml: a part of the path is not a folder\.\n$/),
    });
  });
});

describe('a label that is nearly one with a meaning', () => {
  it('is kept, and its author told', async () => {
    const cwd = await aRepository();
    const labels = ['type:stroy', 'priority:p99', 'Type:Bug', 'priority:p1', 'ui'];
    const { status, stdout, stderr } = agentx(cwd, ['issue', 'create', '-t', 'Login', '-l', ...labels]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '#1 Login\n' });
    expect(stderr.split('\n').filter((line) => line.startsWith('note: '))).toEqual([
      "note: The label 'type:stroy' means nothing. Did you mean 'type:story'? Allowed: type:feature, type:story, type:bug, type:epic.",
      "note: The label 'priority:p99' means nothing. Allowed: priority:p0 to priority:p9.",
    ]);
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({ labels });
  });
});

describe('a person who does the work of an agent', () => {
  it('is told what it is, and nothing that only programs need', async () => {
    const cwd = await aRepository({
      config: '[agents.engineer]\nrunner = "human"\n[agents.reviewer]\nrunner = "human"\n',
      issues: [{ title: 'Paint it blue' }],
    });
    expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(3);
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    const { text = '', header } = question?.questions[0] ?? {};
    expect(header).toBe('Implement Paint it blue with tests');
    expect(text).toMatch(/^Yours as engineer, on issue #1: Implement Paint it blue with tests\n/);
    expect(text).toContain('It is done when: Every acceptance criterion is met and the tests pass');
    expect(text).not.toMatch(/JSON|How to reply|You are/);
  });
});

describe('an agent that failed twice', () => {
  it('is stuck until a human has it try again [US-3.1/15] [US-3.1/16]', async () => {
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "implement"\ntitle = "Implement it"\nagent = "engineer"\n',
      script:
        '[[turns]]\nagent = "engineer"\ntimes = 2\nfail = "no network"\n[[turns]]\nagent = "engineer"\ntext = "Done."\n',
    });
    const engineer = () => agentx(cwd, ['state', '--json']).json();
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(engineer()).toMatchObject({ engineer: { status: 'stuck', issue: 1 } });
    expect(agentx(cwd, ['watch']).stdout).toMatch(/AGENTS {2}0 at work, 1 waiting\n {2}engineer {2}stuck {2}#1 /);
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    agentx(cwd, ['inbox', 'answer', question?.id ?? '', '--option', 'retry']);
    const again = agentx(cwd, ['run', '1', '--json']);
    expect(again.status).toBe(0);
    const statuses = eventsOf(again).filter(({ type }) => type === 'agent-status-changed');
    expect(statuses.map(({ status }) => status)).toEqual(['working', 'done']);
    expect(engineer()).toMatchObject({ engineer: { status: 'done' } });
  });
});

describe('programs that are not approved', () => {
  const CONFIG = '[agents.architect]\nrunner = "command"\ncommand = ["node", "-e", "console.log(\'SQLite.\')"]\n';
  const ASK = askArguments('Database', 'Which?');
  const aUser = () => ({ env: { HOME: temporaryFolder(), AGENTX_TRUST: '' } });

  it('are shown to a person at a terminal, who may approve them in place [US-6.2/18]', async () => {
    const cwd = await aRepository({ config: CONFIG, issues: [{ title: 'Store orders' }] });
    const user = aUser();
    const doubtful = onTerminal(cwd, ASK, user);
    await doubtful.until('May agents run this program? [y/N]');
    expect(doubtful.screen()).toContain('architect  node -e');
    doubtful.type(`n${KEYS.enter}`);
    expect(await doubtful.ended).toBe(1);
    expect(agentx(cwd, ['clarify', '--all', '--json']).json()).toEqual({ clarifications: [] });

    const trusting = onTerminal(cwd, ASK, user);
    await trusting.until('[y/N]');
    trusting.type(`y${KEYS.enter}`);
    await trusting.until('[Architect] SQLite.');
    expect(await trusting.ended).toBe(0);

    const again = onTerminal(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'And in CI?'], aUser());
    await again.until('[y/N]');
    again.type(`n${KEYS.enter}`);
    expect(await again.ended).toBe(1);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001', '--json']).json()).toMatchObject({ round: 1 });
  });
});

describe('an agent that was started with an issue', () => {
  const ASK = ['ask', '--to', 'architect', '--topic', 'Database', '-q', 'Which?', '--json'];

  it('asks about that one unless it names another', async () => {
    const cwd = await aRepository({
      config: '[agents.architect]\nrunner = "human"\n',
      issues: [{ title: 'Store orders' }, { title: 'Export' }],
    });
    const env = { AGENTX_AGENT: 'engineer', AGENTX_ISSUE: '2' };
    expect(agentx(cwd, ASK, { env }).json()).toMatchObject({ clarificationId: 'CLR-2-001' });
    expect(agentx(cwd, [...ASK, '--issue', '1'], { env }).json()).toMatchObject({ clarificationId: 'CLR-1-001' });
  });

  it('is asked which one if the command does not say', async () => {
    const cwd = await aRepository();
    const { status, stderr } = agentx(cwd, ASK.slice(0, -1), { env: { AGENTX_AGENT: 'engineer' } });
    expect(status).toBe(2);
    expect(stderr).toBe("error: The option '--issue <number>' is missing: which issue is it about? 0 for none.\n");
  });
});
