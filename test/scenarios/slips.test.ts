import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentx, aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';

const LEDGER = '.agentx/state/clarifications/issue-1.json';

/** An agent waits for a human who is to answer CLR-1-001. */
async function anEscalation() {
  const cwd = await aRepository({
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
    config: '[agents.product-manager]\nrunner = "human"',
  });
  const parties = ['--from', 'engineer', '--to', 'pm'];
  agentx(cwd, ['ask', '--issue', '1', ...parties, '--topic', 'Scope', '-q', 'Is CSV in?']);
  const [, id = ''] = /(oq-\w+)/.exec(agentx(cwd, ['inbox']).stdout) ?? [];
  return { cwd, id };
}

describe('a person who mistypes', () => {
  it.each([
    [['clarify', 'CLR-1-001'], "Did you mean 'agentx clarify show CLR-1-001'?"],
    [['inbox', 'oq-1a2b3c4d'], "Did you mean 'agentx inbox show oq-1a2b3c4d'?"],
    [['issue', '1'], "Did you mean 'agentx issue show 1'?"],
    [['clarify', '1'], 'Allowed: show, stale, '],
    [['rdy'], "Did you mean 'ready'?"],
    [['inbox', 'list'], "Did you mean 'agentx inbox'?"],
    [['clarify', 'ls'], "Did you mean 'agentx clarify'?"],
    [['version'], "Did you mean 'agentx --version'?"],
  ])('%j is told how it is shown', async (args, advice) => {
    const { status, stderr } = agentx(await aRepository(), args);
    expect(status).toBe(2);
    expect(stderr).toContain(`error: There is no 'agentx ${args.join(' ')}'. ${advice}`);
  });

  it.each([
    [['issue', 'create', 'Shed', '-l', '--json'], '-l, --label <label...>', '--json', 'issue create'],
    [['issue', 'comment', '1', '-m', '--quiet', '--json'], '-m, --message <text>', '--quiet', 'issue comment'],
    [['clarify', '--issue', '--all', '--json'], '--issue <number>', '--all', 'clarify'],
  ])('%j is told that an option is no value, and nothing is done', async (args, option, flag, command) => {
    const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
    const { status, stderr } = agentx(cwd, args);
    expect(status).toBe(2);
    expect(JSON.parse(stderr).error.message).toBe(
      `Option '${option}' needs a value, and '${flag}' is an option. See: agentx ${command} --help`,
    );
    expect(await storeOf(cwd).issues.list()).toMatchObject({ items: [{ number: 1, comments: [] }] });
  });

  it.each([
    [
      ['completion', 'zhs'],
      /: 'zhs' is no shell\. Did you mean 'zsh'\? Allowed: bash, zsh, fish\. See: agentx completion /,
    ],
    [
      ['mcp', 'install', 'emacs'],
      /: 'emacs' is no client\. Allowed: claude, codex, .*vscode\. See: agentx mcp install /,
    ],
    [
      ['init', '--mode', 'githb'],
      /: --mode cannot be 'githb'\. Did you mean 'github'\? Allowed: local, github\. See: /,
    ],
    [['memory', 'search', 'x', '--limit', 'ten'], /: 'ten' is not a valid number of results\. Allowed: whole numbers /],
    [
      ['memory', 'timeline', 'x', '--limit', '1e1'],
      /: '1e1' is not a valid number of results\. Allowed: whole numbers /,
    ],
    [['demo', '--json'], /"message":"agentx demo has no data for programs: leave --json out\."/],
    [['--root', '', 'inbox'], /: --root is empty\. Name a folder, or leave --root out\.\n$/],
    [
      ['inbox', 'answer', 'oq-1a2b', '--question', '', '-m', 'x'],
      /: Option '--question <id>' is empty\. See: agentx in/,
    ],
    [
      ['inbox', 'decline', 'oq-1a2b', '--revision='],
      /: Option '--revision <number>' is empty\. See: agentx inbox decl/,
    ],
    [
      ['issue', 'comment', '1', '-F', ''],
      /: Option '-F, --file <file>' is empty\. See: agentx issue comment --help\n$/,
    ],
    [['serve', '--host', '', '--port', '0'], /: Option '--host <host>' is empty\. See: agentx serve --help\n$/],
    [['run', '1', '--workflow', ''], /: Option '--workflow <name>' is empty\. See: agentx run --help\n$/],
    [
      ['help', 'configuration', 'server'],
      /: There is no help for 'configuration server'\. Did you mean 'configuration'\?/,
    ],
  ])('%j is told in words', async (args, words) => {
    const { status, stderr } = agentx(await aRepository(), args);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(words) });
  });

  it.each([
    [['clarify', '--all', 'show', 'CLR-1-001'], 'agentx clarify show', '--all'],
    [['clarify', '--issue', '1', 'stale'], 'agentx clarify stale', '--issue'],
    [['inbox', '--all', 'show', 'oq-1a2b'], 'agentx inbox show', '--all'],
    [['assumptions', '--issue', '1', 'confirm', 'ASM-1-001'], 'agentx assumptions confirm', '--issue'],
    [['state', '--budget', 'set', 'engineer', 'idle'], 'agentx state set', '--budget'],
    [['mcp', '--wait', '5', 'doctor'], 'agentx mcp doctor', '--wait'],
    [['issue', '--all', 'show', '1'], 'agentx issue show', '--all'],
  ])('%j is told that an option of the noun is none of the verb', async (args, command, option) => {
    const { status, stderr } = agentx(await aRepository(), args);
    expect(status).toBe(2);
    expect(stderr).toContain(`error: '${command}' has no option '${option}'.`);
  });

  it.each([
    [['issue', '--all', 'list'], 0],
    [['clarify', '--no-retry', 'stale'], 0],
    [['--json', 'clarify', '--no-retry', 'graph'], 0],
  ])('%j is understood: the verb has that option, too', async (args, expected) => {
    expect(agentx(await aRepository(), args).status).toBe(expected);
  });

  it.each([
    [['inbox', 'answer', '--option', 'a', 'oq-1a2b'], 'id', '--option'],
    [['issue', 'create', '-l', 'bug', 'Health endpoint'], 'title', '--label'],
  ])('%j is told that an option has taken what was meant for an argument', async (args, argument, option) => {
    const { status, stderr } = agentx(await aRepository(), args);
    expect(status).toBe(2);
    expect(stderr).toContain(`Missing required argument '${argument}': ${option} takes every word behind it.`);
  });

  it('an answer to a question that has ended is told so', async () => {
    const { cwd, id } = await anEscalation();
    agentx(cwd, ['inbox', 'answer', id, '-m', 'CSV is in.']);
    const { status, stderr } = agentx(cwd, ['inbox', 'answer', id]);
    expect(status).toBe(1);
    expect(stderr).toContain(`error: Question ${id} has ended: answered by ada (cli).`);
  });

  it('an observation is told what there is', async () => {
    expect(agentx(await aRepository(), ['memory', 'show', 'obs-1'])).toMatchObject({
      status: 4,
      stderr: 'error: There is no observation obs-1. See what there is: agentx memory search\n',
    });
  });

  it('an id hears of that, in the same words from every verb, before anything else happens', async () => {
    const { cwd } = await anEscalation();
    for (const [verb = '', ...options] of [
      ['show'],
      ['answer', '-m', 'Yes.'],
      ['follow-up', '-q', 'Why?'],
      ['resolve', '-m', 'Yes.'],
      ['escalate', '-m', 'Why not.'],
    ]) {
      expect(agentx(cwd, ['clarify', verb, 'CLR-1-009', ...options])).toMatchObject({
        status: 4,
        stderr: 'error: There is no clarification CLR-1-009. See what there is: agentx clarify --all\n',
      });
    }
  });

  it('an answer to what waits for a human is told where it belongs', async () => {
    const { cwd } = await anEscalation();
    const { status, stderr } = agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'Yes.']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/Allowed: resolve, by a human\. It waits for a human: agentx inbox\n$/);
  });
});

describe('a ledger that is damaged', () => {
  it('is reported once by each command that needs it', async () => {
    const { cwd } = await anEscalation();
    writeFileSync(join(cwd, LEDGER), '{ "issueNumber": 1, ');
    for (const args of [
      ['show', 'CLR-1-001'],
      ['--issue', '1'],
      ['answer', 'CLR-1-001', '-m', 'Yes.'],
      ['resolve', 'CLR-1-001', '-m', 'Yes.'],
    ]) {
      const { status, stderr } = agentx(cwd, ['clarify', ...args]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error: .*issue-1\.json is damaged: .*doctor --repair.*\n$/);
    }
  });

  it('lets people see and answer the question, and the answer arrives after the repair', async () => {
    const { cwd, id } = await anEscalation();
    const ledger = readFileSync(join(cwd, LEDGER), 'utf8');
    writeFileSync(join(cwd, LEDGER), ledger.slice(0, -20));
    const shown = agentx(cwd, ['inbox', 'show', id]);
    expect(shown).toMatchObject({ status: 0, stderr: expect.stringMatching(/^warning: .*issue-1\.json is damaged/) });
    expect(shown.stdout).toContain('engineer: Is CSV in?\n');
    const answered = agentx(cwd, ['inbox', 'answer', id, '-m', 'CSV is in.']);
    expect(answered.status).toBe(1);
    expect(answered.stderr).toMatch(
      /^oq-\w+ has ended with what you said; the agent that waits hears of it when this is repaired:\nerror: .*is damaged/,
    );
    writeFileSync(join(cwd, LEDGER), ledger);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001']).stdout).toMatch(/\[RESOLVED\] human .*\n {4}CSV is in\.\n/);
  });
});
