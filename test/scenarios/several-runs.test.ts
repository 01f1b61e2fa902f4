import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WireRequest, WireTurn } from '../wire/script.js';
import { startWireServer } from '../wire/server.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';
import { aRunnable, eventsOf, storeOf } from './support/runs.js';

const STEPS = '[[steps]]\nid = "implement"\ntitle = "Implement {{title}}"\nagent = "engineer"\n';
const ISSUES = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }];

/** Issue 2 asks a human; each waits until all that run at once have begun. */
const ENGINEER = (atOnce: number) =>
  agentProgram(`
    import { readdirSync, writeFileSync } from 'node:fs';
    writeFileSync('begun-' + brief.issue.number, '');
    const begun = () => readdirSync('.').filter((name) => name.startsWith('begun-')).length;
    while (begun() < ${atOnce}) await new Promise((resolve) => setTimeout(resolve, 5));
    appendFileSync('order', brief.issue.number + '\\n');
    if (brief.issue.number === 2 && brief.answers.length === 0) reply({ open_questions: [{ text: 'Which port?', options: [{ label: '80' }, { label: '8080' }] }] });
    else reply({ artifacts: [{ path: 'out/' + brief.issue.number + '.txt', content: 'done' }] });
  `);

const aProject = (atOnce: number) =>
  aRunnable({
    steps: STEPS,
    issues: ISSUES,
    config: commandAgent('engineer'),
    files: { 'engineer.mjs': ENGINEER(atOnce) },
  });

describe('agentx run with several issues', () => {
  it('carries three at once, labels each line with its issue, and has one inbox for all', async () => {
    const cwd = await aProject(3);
    const { status, stdout, stderr } = agentx(cwd, ['run', '1', '2', '3', '2', '--jobs', '3']);
    expect(status).toBe(3);
    expect(stdout).toContain('#1 Implement One');
    expect(stdout).toContain('#3 Implement Three');
    expect(stdout).toMatch(/#1 {2}Run complete: /);
    expect(stdout).toMatch(/#2 {2}Run paused: /);
    expect(stderr).toContain('Waits for you: agentx inbox, then: agentx run 2');
    expect(existsSync(join(cwd, 'out/3.txt'))).toBe(true);
    const [question] = (await storeOf(cwd).questions.list({})).items;
    agentx(cwd, ['inbox', 'answer', String(question?.id), '--option', 'a']);
    expect(agentx(cwd, ['run', '1', '2', '3', '--jobs', '2']).status).toBe(0);
    expect(existsSync(join(cwd, 'out/2.txt'))).toBe(true);
  });

  it('carries them out one after the other without --jobs, in the order that was typed', async () => {
    const cwd = await aProject(1);
    expect(agentx(cwd, ['run', '3', '1']).status).toBe(0);
    expect(readFileSync(join(cwd, 'order'), 'utf8')).toBe('3\n1\n');
  });

  it('names the issue in every line of --json', async () => {
    const cwd = await aProject(3);
    const events = eventsOf(agentx(cwd, ['run', '1', '2', '3', '--jobs', '3', '--json']));
    expect(events.filter(({ issueNumber }) => ![1, 2, 3].includes(Number(issueNumber)))).toEqual([]);
    const ends = events.filter(({ type }) => type === 'run-finished');
    expect(ends.map(({ issueNumber, status }) => `${issueNumber} ${status}`).sort()).toEqual([
      '1 done',
      '2 paused',
      '3 done',
    ]);
  });

  it('goes on with the others where one cannot be run, and says so', async () => {
    const cwd = await aProject(1);
    const { status, stdout } = agentx(cwd, ['run', '7', '1']);
    expect(status).toBe(1);
    expect(stdout).toContain('#7  cannot be run: There is no issue #7. See what there is: agentx issue list --all\n');
    expect(stdout).toMatch(/#1 {2}Run complete: /);
  });

  it('ends with run-finished, alone as among others, when the settings stop a run that has begun', async () => {
    const server = createServer((_, response) => response.writeHead(401).end('{"error":{"message":"no such key"}}'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "code"\ntitle = "Code"\nagent = "engineer"\n',
      config: `[agents.engineer]\nrunner = "model"\nmodel = "compatible/m"\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
      issues: [{ title: 'One' }, { title: 'Two' }],
    });
    const alone = await startAgentx(cwd, ['run', '1', '--json']);
    expect(alone.status).toBe(2);
    const finished = { type: 'run-finished', issueNumber: 1, status: 'failed', code: 'CONFIG_ERROR' };
    expect(eventsOf(alone).at(-1)).toMatchObject({ ...finished, reason: expect.stringContaining('no such key') });
    expect(JSON.parse(alone.stderr)).toMatchObject({ error: { code: 'CONFIG_ERROR' } });
    const both = eventsOf(await startAgentx(cwd, ['run', '1', '2', '--json']));
    expect(both.filter(({ type }) => type === 'run-finished')).toMatchObject([finished, { issueNumber: 2 }]);
    const none = await startAgentx(cwd, ['run', '7', '--json']);
    expect(none).toMatchObject({ status: 4, stdout: '' });
  });

  it('tells of settings that are missing in lines that can be copied', async () => {
    const cwd = await aRepository({ issues: [{ title: 'One' }, { title: 'Two' }] });
    const { stdout } = agentx(cwd, ['run', '1', '2']);
    expect(stdout).toMatch(/^ +\[agents\.engineer\]\n +runner = "command"\n +command = \["node", "agent\.mjs"\]\n/m);
  });

  it.each(['0', 'two', '1.5', '-1', '100000'])('refuses --jobs %s', async (jobs) => {
    const cwd = await aProject(1);
    const { status, stderr } = agentx(cwd, ['run', '1', '3', `--jobs=${jobs}`]);
    expect(status).toBe(2);
    expect(stderr).toContain('is no number of runs. Allowed: 1 to 64.');
  });
});

const WORKER_STEPS = `
[[steps]]
id = "design"
title = "Design"
agent = "architect"
output = "docs/adr.md"

[[steps]]
id = "implement"
title = "Implement {{title}}"
agent = "engineer"
needs = ["design"]
can_clarify = ["architect"]
`;

/** Every issue has the same files written, each with its own content. */
function workerTurn({ model, messages }: WireRequest): WireTurn {
  const issue = /#(\d)/.exec(messages.map(({ text }) => text).join('\n'))?.[1] ?? '?';
  const turns = messages.filter(({ role }) => role === 'assistant').length;
  const call = (name: string, input: object): WireTurn => ({ calls: [{ name, input }] });
  if (messages.some(({ text }) => text.includes('Another agent waits'))) {
    return call('finish', { answer: `Port ${issue}.`, evidence: ['docs/adr.md'] });
  }
  if (model === 'architect') return { text: `# Decision ${issue}` };
  const human = { questions: [{ text: 'Which port?', options: [{ label: '80' }, { label: '8080' }] }] };
  return (
    [
      call('read_file', { path: 'docs/adr.md' }),
      call('write_artifact', { path: 'port.txt', content: `issue ${issue}\n` }),
      call('run_command', { command: ['node', 'check.mjs'] }),
      call('request_clarification', { to: 'architect', topic: 'Port', question: `Which port for #${issue}?` }),
      ...(issue === '2' ? [call('ask_human', human)] : []),
    ][turns] ?? call('finish', { text: 'Done, as the architect says.' })
  );
}

describe('agentx run with work trees', () => {
  it('changes the same files for three issues at once, each on a branch of its own, with one inbox for all', async () => {
    const server = await startWireServer({ play: workerTurn });
    onTestFinished(() => server.close());
    const table = (agent: string) =>
      `[agents.${agent}]\nrunner = "model"\nmodel = "compatible/${agent}"\nbase_url = "${server.url}/v1"\n`;
    const cwd = await aRunnable({
      steps: WORKER_STEPS,
      issues: ISSUES,
      config: `${table('architect')}${table('engineer')}commands = [["node", "check.mjs"]]\n[run]\nisolation = "worktree"\n`,
      files: { 'check.mjs': CHECK },
    });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' });
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'first');
    writeFileSync(join(cwd, 'draft.txt'), '');

    const first = await startAgentx(cwd, ['run', '1', '2', '3', '--jobs', '3']);
    expect(first.status, first.stderr + first.stdout).toBe(3);
    expect(first.stdout).toContain('on branch agentx/issue-3');
    expect(first.stdout).toContain('Not committed, so the run does not see it: draft.txt.');
    expect(first.stdout).toMatch(/Its work is on the branch agentx\/issue-1: git diff [0-9a-f]{12} agentx\/issue-1/);
    const questions = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    expect(questions.map(({ issueNumber }) => issueNumber)).toEqual([2]);
    await startAgentx(cwd, ['inbox', 'answer', String(questions[0]?.id), '--option', 'a']);
    const here = await startAgentx(cwd, ['run', '2', '--here']);
    expect(here.stderr).toContain('has begun on the branch agentx/issue-2 and cannot go on here');
    const second = await startAgentx(cwd, ['run', '2', '--json']);
    expect(second.status, second.stderr).toBe(0);
    expect(eventsOf(second).at(-1)).toMatchObject({ branch: { name: 'agentx/issue-2' } });

    for (const issue of [1, 2, 3]) {
      const branch = `agentx/issue-${issue}`;
      expect(git('diff', '--name-only', 'main', branch)).toBe('checked.txt\ndocs/adr.md\nport.txt\n');
      expect(git('show', `${branch}:port.txt`)).toBe(`issue ${issue}\n`);
      expect(git('show', `${branch}:docs/adr.md`)).toBe(`# Decision ${issue}\n`);
      // The command ran in the work tree, and agentx in it would know for whom.
      expect(JSON.parse(git('show', `${branch}:checked.txt`))).toEqual([`issue ${issue}\n`, 'engineer', String(issue)]);
    }
    expect(existsSync(join(cwd, 'port.txt'))).toBe(false);
    // The architect, asked in the middle of the run, was shown what it wrote into the work tree.
    const requests = server.requests.filter(({ messages }) =>
      messages.some(({ text }) => text.includes('Another agent waits')),
    );
    expect(requests.filter(({ messages }) => messages.some(({ text }) => /# Decision [123]/.test(text)))).toHaveLength(
      3,
    );
    // A command in a work tree finds the records of the project, not the copy that was committed.
    const { folder } = Object(eventsOf(second).at(-1)).branch;
    const list = await startAgentx(join(cwd, folder), ['issue', 'list', '--json']);
    expect(list.stdout).toContain('"done"');
  });
});

const CHECK = `
import { readFileSync, writeFileSync } from 'node:fs';
const { AGENTX_AGENT, AGENTX_ISSUE } = process.env;
writeFileSync('checked.txt', JSON.stringify([readFileSync('port.txt', 'utf8'), AGENTX_AGENT, AGENTX_ISSUE]));
`;
