import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../support/is-alive.js';
import { until } from '../support/until.js';
import { agentProgram, letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, agentxCommand, agentxEnvironment, aRepository } from './support/agentx.js';
import { callTool, connect } from './support/mcp.js';
import { callOf, INITIALIZE, type Raw, raw } from './support/raw-mcp.js';
import { storeOf } from './support/runs.js';

const ASK = { to: 'architect', topic: 'Database', question: 'Two adapters, or migrate?', from: 'engineer', issue: 1 };
const HUMAN = { questions: ['Which region?'], from: 'engineer', issue: 1 };

const withArchitect = (program = patientAgent('Two.')) =>
  aRepository({
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
    config: '[agents.architect]\nrunner = "command"\ncommand = ["node", "architect.mjs"]',
    files: { 'architect.mjs': program },
  });

const clarificationsOf = async (cwd: string) => (await storeOf(cwd).ledgers.read(1)).clarifications;
const questionsOf = async (cwd: string) => (await storeOf(cwd).questions.list({})).items;

/** A moment at which the server is killed: what has happened by then. */
type Moment = (cwd: string, server: Raw) => boolean | Promise<boolean>;
const isAnswered: Moment = async (cwd) => (await clarificationsOf(cwd))[0]?.status === 'answered';
const hasResult: Moment = (_, { lines }) => lines.some((line) => JSON.parse(line).id === 1);

async function killAt(cwd: string, call: object, moment: Moment, meanwhile = () => {}): Promise<void> {
  const server = raw(cwd, ['--wait', '40']);
  server.send(INITIALIZE);
  server.send(call);
  meanwhile();
  await until(() => moment(cwd, server));
  server.child.kill('SIGKILL');
  await server.ended;
}

describe('agentx mcp that is killed, and its client that calls again with the same words', () => {
  it.each<readonly [string, Moment, boolean]>([
    ['as soon as it is called', () => true, false],
    ['when the question is recorded', async (cwd) => (await clarificationsOf(cwd)).length > 0, false],
    ['while its target is at work', (cwd) => existsSync(join(cwd, 'asked')), false],
    ['when its target has answered', isAnswered, true],
    ['when the client has the answer', hasResult, true],
  ])('asks an agent once: killed %s', async (_, moment, isAnsweredBefore) => {
    const cwd = await withArchitect();
    const call = callOf(1, 'request_clarification', ASK);
    await killAt(cwd, call, moment, () => (isAnsweredBefore ? letGo(cwd) : undefined));
    letGo(cwd);
    const client = await connect(cwd, { options: ['--wait', '40'] });
    await expect
      .poll(async () => (await callTool(client, 'request_clarification', ASK)).data)
      .toMatchObject({ id: 'CLR-1-001', status: 'answered', answer: 'Two.' });
    const clarifications = await clarificationsOf(cwd);
    expect(clarifications.map(({ thread }) => thread.map(({ type }) => type))).toEqual([['question', 'answer']]);
  });

  it.each<readonly [string, Moment]>([
    ['as soon as it is called', () => true],
    ['when the question is in the inbox', async (cwd) => (await questionsOf(cwd)).length > 0],
    ['when a human has answered', async (cwd) => answered(cwd)],
  ])('asks a human once: killed %s', async (_, moment) => {
    const cwd = await withArchitect();
    await killAt(cwd, callOf(1, 'ask_human', HUMAN), moment);
    const client = await connect(cwd, { options: ['--wait', '1'] });
    const { data } = await callTool(client, 'ask_human', HUMAN);
    await answered(cwd);
    expect((await callTool(client, 'ask_human', HUMAN)).data).toMatchObject({
      id: data.id,
      status: 'answered',
      answers: [{ answer: 'Europe.' }],
    });
    expect(await questionsOf(cwd)).toHaveLength(1);
  });

  /** A human answers whatever is open; whether anything was ever asked. */
  async function answered(cwd: string): Promise<boolean> {
    const [question] = await questionsOf(cwd);
    if (question?.status === 'open') agentx(cwd, ['inbox', 'answer', question.id, '-m', 'Europe.']);
    return question !== undefined;
  }
});

describe('a client that is killed', () => {
  it('leaves no server and no target of it behind, and its question is there for the next one', async () => {
    const cwd = await withArchitect(
      agentProgram(`
        const { writeFileSync } = await import('node:fs');
        if (existsSync('go')) { reply({ answer: 'Two.' }); process.exit(0); }
        writeFileSync('target.pid', String(process.pid));
        setInterval(() => {}, 1000);
      `),
    );
    const messages = [INITIALIZE, callOf(1, 'request_clarification', ASK)].map((one) => `${JSON.stringify(one)}\n`);
    const program = `
      const { spawn } = require('node:child_process');
      const [program, ...args] = ${JSON.stringify([...agentxCommand, 'mcp'])};
      const server = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
      require('node:fs').writeFileSync('server.pid', String(server.pid));
      server.stdin.write(${JSON.stringify(messages.join(''))});
    `;
    const client = spawn(process.execPath, ['-e', program], { cwd, env: agentxEnvironment(), stdio: 'ignore' });
    onTestFinished(() => {
      client.kill('SIGKILL');
    });
    await untilThere(cwd, 'target.pid');
    const pids = ['server.pid', 'target.pid'].map((name) => Number(readFileSync(join(cwd, name), 'utf8')));
    client.kill('SIGKILL');
    await once(client, 'exit');
    await until(() => !pids.some(isAlive));
    letGo(cwd);
    const next = await connect(cwd, { options: ['--wait', '40'] });
    expect((await callTool(next, 'request_clarification', ASK)).data).toMatchObject({
      id: 'CLR-1-001',
      answer: 'Two.',
    });
    expect(await clarificationsOf(cwd)).toHaveLength(1);
  });

  it('withdraws no question to a human by giving up on its call', async () => {
    const cwd = await withArchitect();
    const { send, lines } = raw(cwd);
    send(INITIALIZE);
    send(callOf(1, 'ask_human', HUMAN));
    await until(async () => (await questionsOf(cwd)).length > 0);
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'timeout' } });
    send(callOf(2, 'get_question', { id: (await questionsOf(cwd))[0]?.id, wait_seconds: 0 }));
    await until(() => lines.some((line) => JSON.parse(line).id === 2));
    expect(await questionsOf(cwd)).toMatchObject([{ status: 'open' }]);
  });
});
