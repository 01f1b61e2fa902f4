import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../support/is-alive.js';
import { until } from '../support/until.js';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, aRepository, spawnAgentx, startAgentx } from './support/agentx.js';
import { KEYS, onTerminal } from './support/terminal.js';

const ASK = 'ask --issue 1 --from engineer --to architect --topic DB -q Which?'.split(' ');

/**
 * Its architect, unless it does something else first, starts a child that would outlive it, prints both process ids,
 * and waits.
 */
async function withSlowArchitect(first = ''): Promise<string> {
  const program = agentProgram(`
    ${first}
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    appendFileSync('pids', process.pid + ' ' + child.pid);
    appendFileSync('asked', 'yes');
    await until('go');
    child.kill();
    reply({ answer: 'SQLite.' });
  `);
  return aRepository({
    config: commandAgent('architect'),
    files: { 'architect.mjs': program },
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
  });
}

const pidsIn = (cwd: string): readonly number[] => readFileSync(join(cwd, 'pids'), 'utf8').split(' ').map(Number);

async function expectNobodyLeft(cwd: string): Promise<void> {
  const pids = pidsIn(cwd);
  expect(pids).toHaveLength(2);
  await until(() => !pids.some(isAlive));
}

it.each([
  [['--issue', '1', '--to', 'arch'], "There is no agent 'arch'. Did you mean 'architect'?"],
  [['--issue', '7', '--to', 'architect'], 'There is no issue #7.'],
])('a person who mistypes %j hears of it before typing the question', async (args, problem) => {
  const cwd = await withSlowArchitect();
  const ask = onTerminal(cwd, ['ask', '--from', 'engineer', '--topic', 'DB', ...args]);
  expect(await ask.ended).not.toBe(0);
  expect(ask.screen().replace(/\s+/g, ' ')).toContain(problem);
  expect(ask.screen()).not.toContain('What is the question?');
});

it('a person who waits long hears what for, and how to leave', async () => {
  const cwd = await withSlowArchitect();
  const ask = onTerminal(cwd, ASK);
  await ask.until('Waiting for the answer. Ctrl-C leaves the question open.');
  letGo(cwd);
  expect(await ask.ended).toBe(0);
});

it('a question whose target cannot be asked stays open, and the command that asks it again is named', async () => {
  const server = createServer((_, response) => response.writeHead(401).end('{"error":{"message":"no such key"}}'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const cwd = await aRepository({
    config: `[agents.architect]\nrunner = "model"\nmodel = "compatible/m"\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
  });
  const { status, stderr } = await startAgentx(cwd, ASK);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^CLR-1-001 stays open: architect has not answered\.\n/);
  expect(stderr).toMatch(/^Ask again: agentx clarify route CLR-1-001\nerror: .*no such key/m);
  const again = await startAgentx(cwd, ['clarify', 'route', 'CLR-1-001']);
  expect(again.stderr).toContain('Ask again: agentx clarify route CLR-1-001\n');
  const asJson = await startAgentx(cwd, ['clarify', 'route', 'CLR-1-001', '--json']);
  expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'CONFIG_ERROR' } });
});

describe('agentx ask, interrupted while the target works', () => {
  it('says on a terminal that it stays open and how to go on, and leaves no agent at work', async () => {
    const cwd = await withSlowArchitect();
    const terminal = onTerminal(cwd, ASK);
    await untilThere(cwd, 'asked');
    terminal.type(KEYS.ctrlC);
    expect(await terminal.ended).toBe(130);
    const screen = terminal.screen();
    expect(screen).toContain('CLR-1-001 stays open: architect has not answered.');
    expect(screen).toContain('agentx clarify show CLR-1-001');
    await expectNobodyLeft(cwd);

    // Statuses are what follows from the open record, and nothing is left for a doctor to complete.
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({
      engineer: { status: 'blocked-clarification', waitingOn: 'architect', clarificationId: 'CLR-1-001' },
      architect: { status: 'clarifying', respondingTo: 'engineer', clarificationId: 'CLR-1-001' },
    });
    expect(agentx(cwd, ['doctor']).status).toBe(0);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001', '--json']).json()).toMatchObject({ status: 'pending' });
    agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'SQLite.']);
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.']);
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({
      engineer: { clarificationId: null, waitingOn: null },
      architect: { clarificationId: null, respondingTo: null },
    });
  });

  it('is seen when its process was killed: no process has the target answer, and a command is named that does', async () => {
    const cwd = await withSlowArchitect();
    const asking = spawnAgentx(cwd, ASK);
    await untilThere(cwd, 'asked');
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ architect: { status: 'clarifying' } });
    asking.kill();
    await asking.ended;
    // No process ends what a killed process has started.
    const orphans = pidsIn(cwd);
    onTestFinished(() => {
      for (const pid of orphans) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
    const goOn = 'agentx clarify route CLR-1-001';
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({
      engineer: { status: 'blocked-clarification', waitingOn: 'architect' },
      architect: { status: 'interrupted', goOn },
    });
    expect(agentx(cwd, ['watch']).stdout).toContain(`go on: ${goOn}`);
    expect(agentx(cwd, ['watch']).stdout).toContain('0 at work');
    letGo(cwd);
    expect(agentx(cwd, goOn.split(' ').slice(1)).status).toBe(0);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001', '--json']).json()).toMatchObject({ status: 'answered' });
  });

  it('tells it on stderr; programs get where it stands', async () => {
    const cwd = await withSlowArchitect();
    const asking = spawnAgentx(cwd, [...ASK, '--json']);
    await untilThere(cwd, 'asked');
    asking.signal('SIGTERM');
    const { status, stderr, json } = await asking.ended;
    expect(status).toBe(143);
    expect(stderr).toContain('CLR-1-001 stays open');
    expect(json()).toEqual({ clarificationId: 'CLR-1-001', status: 'pending', round: 1 });
    await expectNobodyLeft(cwd);
  });

  it('asks the target anew where the hint says so', async () => {
    const cwd = await withSlowArchitect();
    const asking = spawnAgentx(cwd, ASK);
    await untilThere(cwd, 'asked');
    asking.signal('SIGINT');
    const { stderr } = await asking.ended;
    letGo(cwd);
    const [, hint = ''] = /^Ask again: agentx (.*)$/m.exec(stderr) ?? [];
    const again = agentx(cwd, hint.split(' '));
    expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('[Architect] SQLite.') });
  });
});

describe('agentx clarify follow-up, interrupted while the target works', () => {
  it('leaves the new round open, says how to go on, and leaves no agent at work', async () => {
    const cwd = await withSlowArchitect();
    const asking = spawnAgentx(cwd, ASK);
    await untilThere(cwd, 'asked');
    asking.signal('SIGINT');
    await asking.ended;
    agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'SQLite.']);
    for (const name of ['asked', 'pids']) rmSync(join(cwd, name));

    const following = spawnAgentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'In CI too?', '--json']);
    await untilThere(cwd, 'asked');
    following.signal('SIGINT');
    const { status, stderr, json } = await following.ended;
    expect(status).toBe(130);
    expect(json()).toEqual({ clarificationId: 'CLR-1-001', status: 'pending', round: 2 });
    expect(stderr).toContain('CLR-1-001 stays open: architect has not answered.');
    await expectNobodyLeft(cwd);

    letGo(cwd);
    const [, hint = ''] = /^Ask again: agentx (.*)$/m.exec(stderr) ?? [];
    expect(agentx(cwd, [...hint.split(' '), '--json']).json()).toMatchObject({ status: 'answered', round: 2 });
  });
});

describe('agentx inbox answer, interrupted while the agent that waited for it goes on', () => {
  it('has taken the answer, says how to go on, and leaves no agent at work', async () => {
    const cwd = await withSlowArchitect(`if (brief.answers.length === 0) {
      reply({ open_questions: ['How many users?'] });
      process.exit();
    }`);
    expect(agentx(cwd, ASK).status).toBe(3);
    const [question = ''] = /oq-[0-9a-f]+/.exec(agentx(cwd, ['inbox']).stdout) ?? [];
    const answering = spawnAgentx(cwd, ['inbox', 'answer', question, '-m', 'Ten.']);
    await untilThere(cwd, 'asked');
    answering.signal('SIGINT');
    const { status, stdout, stderr } = await answering.ended;
    expect(status).toBe(130);
    expect(stdout).toContain(`${question} is answered.\n`);
    expect(stderr).toContain('CLR-1-001 is pending.\nAsk again: agentx clarify route CLR-1-001\n');
    await expectNobodyLeft(cwd);
    letGo(cwd);
    expect(agentx(cwd, ['clarify', 'route', 'CLR-1-001', '--json']).json()).toMatchObject({ answer: 'SQLite.' });
  });
});
