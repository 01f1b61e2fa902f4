import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

/** Replies by turn what `<agent>.json` says; the last one again and again. `null` fails. */
const AGENT = agentProgram(`
  const replies = JSON.parse(readFileSync(brief.agent + '.json', 'utf8'));
  const next = replies[Math.min(brief.step.turn, replies.length) - 1];
  if (next === null) process.exit(1);
  reply(next);
`);

async function agents(replies: Readonly<Record<string, readonly unknown[]>>): Promise<string> {
  const names = Object.keys(replies);
  return aRunnable({
    steps: names.map((name) => `[[steps]]\nid = "${name}"\ntitle = "${name}"\nagent = "${name}"\n`).join(''),
    config: names.map((name) => commandAgent(name, 'agent.mjs')).join('\n'),
    files: {
      'agent.mjs': AGENT,
      ...Object.fromEntries(names.map((name) => [`${name}.json`, JSON.stringify(replies[name])])),
    },
  });
}

const run = (cwd: string, env: Readonly<Record<string, string>> = {}) => agentx(cwd, ['run', '1'], { env });
async function theQuestion(cwd: string, kind = 'open_question') {
  const question = (await storeOf(cwd).questions.list()).items.find((one) => one.kind === kind);
  if (question === undefined) throw new Error(`There is no ${kind}.`);
  return question;
}

describe('a question whose asker is gone', () => {
  it('is superseded when its issue is closed, and every surface says why [X-1/1]', async () => {
    const cwd = await agents({ coder: [{ status: 'failed', open_questions: ['Which database?'] }] });
    expect(run(cwd).status).toBe(3);
    const { id } = await theQuestion(cwd);
    expect(agentx(cwd, ['issue', 'close', '1']).status).toBe(0);
    expect(await theQuestion(cwd)).toMatchObject({ outcome: 'superseded', reason: 'issue #1 is closed' });
    expect(agentx(cwd, ['inbox']).stdout).toContain('Nothing waits for you');
    for (const args of [['--all'], ['show', id]]) {
      expect(agentx(cwd, ['inbox', ...args]).stdout).toContain('superseded: issue #1 is closed');
    }
    const late = agentx(cwd, ['inbox', 'answer', id, '-m', 'SQLite']);
    expect(late).toMatchObject({ status: 1, stderr: expect.stringContaining('superseded') });
    const server = await startServer(cwd);
    expect((await server.call('GET', `/notifications/${id}`)).body).toMatchObject({
      notification: { outcome: 'superseded', reason: 'issue #1 is closed' },
    });
    expect(await storeOf(cwd).assumptions.read(1)).toMatchObject({ assumptions_made: [] });
    expect(agentx(cwd, ['issue', 'close', '1']).status).toBe(0);
  });

  it.each([
    ['closed', 'issue #1 is closed'],
    ['gone', 'issue #1 is gone'],
  ])('is superseded by the next look when another program made its issue %s [X-1/1]', async (what, reason) => {
    const cwd = await agents({ coder: [{ open_questions: ['Which database?'] }] });
    expect(run(cwd).status).toBe(3);
    const path = join(cwd, '.agentx/issues/1.json');
    if (what === 'gone') rmSync(path);
    else writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), state: 'closed' }));
    expect(agentx(cwd, ['inbox']).stdout).toContain('Nothing waits for you');
    expect(await theQuestion(cwd)).toMatchObject({ outcome: 'superseded', reason });
  });

  it('is not asked on an issue that is closed', async () => {
    const cwd = await agents({ coder: [{ status: 'done' }] });
    expect(agentx(cwd, ['issue', 'close', '1']).status).toBe(0);
    const server = await startServer(cwd);
    const request = {
      issueNumber: 1,
      agent: 'coder',
      source: 'execute',
      sourceId: '1',
      questions: ['Which database?'],
    };
    expect(await server.call('POST', '/notifications', request)).toMatchObject({
      status: 409,
      body: { error: { code: 'INVALID_STATE', message: expect.stringContaining('#1 is closed') } },
    });
  });

  it('is superseded with its escalation when the issue is closed [X-1/1]', async () => {
    const cwd = await aRunnable({
      steps: `[[steps]]
id = "design"
title = "Design"
agent = "architect"
[[steps]]
id = "code"
title = "Code"
agent = "coder"
needs = ["design"]
can_clarify = ["architect"]
`,
      config: commandAgent('architect', 'agent.mjs'),
      files: { 'agent.mjs': agentProgram("reply({ answer: 'In memory.' });") },
    });
    const ask = ['ask', '--issue', '1', '--from', 'coder', '--to', 'architect', '--topic', 'Cache', '-q', 'Which?'];
    expect(agentx(cwd, ask).status).toBe(0);
    agentx(cwd, ['clarify', 'escalate', 'CLR-1-001', '-m', 'they disagree']);
    expect(await theQuestion(cwd, 'escalation')).toMatchObject({ status: 'open' });
    expect(agentx(cwd, ['issue', 'close', '1']).status).toBe(0);
    expect(await theQuestion(cwd, 'escalation')).toMatchObject({ outcome: 'superseded' });
    const [record] = (await storeOf(cwd).ledgers.read(1)).clarifications;
    expect(record).toMatchObject({ status: 'resolved' });
    expect(record?.thread.at(-1)?.body).toBe('No decision: issue #1 is closed.');
    expect(agentx(cwd, ['clarify', 'stale']).status).toBe(0);
  });

  it('is superseded when its step is skipped, and what others ask stays [X-1/1]', async () => {
    const cwd = await agents({
      coder: [{ status: 'continue', open_questions: [{ text: 'A logo?', blocking: false }] }, null],
      tester: [{ open_questions: ['Which browsers?'] }],
    });
    expect(run(cwd).status).toBe(3);
    const { id } = await theQuestion(cwd, 'agent_failed');
    expect(agentx(cwd, ['inbox', 'answer', id, '-m', 'Go on without this step']).status).toBe(0);
    expect(run(cwd).status).toBe(3);
    const questions = (await storeOf(cwd).questions.list()).items.filter(({ kind }) => kind === 'open_question');
    expect(questions.find(({ askedBy }) => askedBy.agent === 'coder')).toMatchObject({
      outcome: 'superseded',
      reason: "step 'coder' was skipped",
    });
    expect(questions.find(({ askedBy }) => askedBy.agent === 'tester')).toMatchObject({ status: 'open' });
  });

  it('is superseded when its run is stopped; the next one asks anew [X-1/1]', async () => {
    const cwd = await agents({ coder: [null], tester: [{ open_questions: ['Which browsers?'] }] });
    expect(run(cwd).status).toBe(3);
    const { id } = await theQuestion(cwd, 'agent_failed');
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'stop']).status).toBe(0);
    expect(run(cwd).status).toBe(1);
    expect(await theQuestion(cwd)).toMatchObject({ outcome: 'superseded', reason: 'the run that asked was stopped' });
    expect(run(cwd).status).toBe(3);
    const open = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    expect(open.filter(({ kind }) => kind === 'open_question')).toHaveLength(1);
  });
});

describe('a question that reaches no person', () => {
  const headless = { AGENTX_HEADLESS: '1' };

  it('ends so if the user says that no person is there, and the agent goes on with an assumption [X-1/1]', async () => {
    const fallback = { option: 'b', reasoning: 'it is in the repository' };
    const asks = { open_questions: [{ text: 'Which database?', options: ['PostgreSQL', 'SQLite'], fallback }] };
    const cwd = await agents({ coder: [asks, { status: 'done' }] });
    const { status, stdout } = run(cwd, headless);
    expect(status).toBe(0);
    expect(stdout).toContain('Nobody could be asked');
    const { id, outcome } = await theQuestion(cwd);
    expect(outcome).toBe('unreachable');
    expect(agentx(cwd, ['inbox', 'show', id]).stdout).toContain('unreachable: nobody is there (AGENTX_HEADLESS)');
    expect((await storeOf(cwd).assumptions.read(1)).assumptions_made).toMatchObject([
      { decision: 'Which database? SQLite', user_response: 'inferred_from_context', questionId: id },
    ]);
  });

  it('waits all the same where it cannot be taken back [X-1/2]', async () => {
    const cwd = await agents({ coder: [{ open_questions: [{ text: 'Drop it?', irreversible: true }] }] });
    expect(run(cwd, headless).status).toBe(3);
    expect(await theQuestion(cwd)).toMatchObject({ status: 'open' });
  });
});
