import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../support/is-alive.js';
import { until } from '../support/until.js';
import { agentProgram, letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository } from './support/agentx.js';
import { callTool, connect } from './support/mcp.js';
import { callOf, INITIALIZE, raw } from './support/raw-mcp.js';

const ISSUES = [{ title: 'Health endpoint', labels: ['type:feature'] }];
const ASK = {
  to: 'architect',
  topic: 'Database layer',
  question: 'Two adapters, or migrate?',
  from: 'engineer',
  issue: 1,
};
const PROGRAM = '[agents.architect]\nrunner = "command"\ncommand = ["node", "architect.mjs"]';

const withArchitect = (program = patientAgent('Two.')) =>
  aRepository({ issues: ISSUES, config: PROGRAM, files: { 'architect.mjs': program } });

/** A target that leaves its process id, and never answers. */
const HANGING = agentProgram(`
  const { writeFileSync } = await import('node:fs');
  writeFileSync('target.pid', String(process.pid));
  appendFileSync('asked', brief.clarification.id + '\\n');
  setInterval(() => {}, 1000);
`);

describe('the process of agentx mcp', () => {
  it.each(['the end of stdin', 'SIGTERM', 'SIGINT'])(
    'ends with its client, by %s in the middle of a call, with its target',
    async (how) => {
      const cwd = await withArchitect(HANGING);
      const { child, send, ended, lines } = raw(cwd);
      send(INITIALIZE);
      send(callOf(1, 'request_clarification', ASK));
      await untilThere(cwd, 'target.pid');
      const target = Number(readFileSync(join(cwd, 'target.pid'), 'utf8'));
      if (how === 'the end of stdin') child.stdin.end();
      else child.kill(how === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
      await ended;
      await until(() => !isAlive(target));
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
      // Nothing is withdrawn: the clarification waits to be asked again.
      expect(agentx(cwd, ['clarify', '--json', '--no-retry']).json()).toMatchObject({
        clarifications: [{ status: 'pending' }],
      });
    },
  );

  it('asks nothing twice when a client comes back after kill -9, with the same words', async () => {
    const cwd = await withArchitect();
    const first = raw(cwd);
    first.send(INITIALIZE);
    first.send(callOf(1, 'request_clarification', ASK));
    first.send(callOf(2, 'ask_human', { questions: ['Which region?'], issue: 1 }));
    await untilThere(cwd, 'asked');
    await until(() => existsSync(join(cwd, '.agentx/state/questions')));
    first.child.kill('SIGKILL');
    await first.ended;
    letGo(cwd);
    const client = await connect(cwd, { options: ['--wait', '1'] });
    await expect
      .poll(async () => (await callTool(client, 'request_clarification', ASK)).data)
      .toMatchObject({ id: 'CLR-1-001', status: 'answered', answer: 'Two.' });
    const result = await callTool(client, 'ask_human', { questions: ['Which region?'], issue: 1 });
    expect(result.data).toMatchObject({ status: 'pending' });
    expect(agentx(cwd, ['inbox', '--json']).json()).toMatchObject({ questions: [{ id: result.data.id }] });
    expect((agentx(cwd, ['inbox', '--json']).json() as { questions: unknown[] }).questions).toHaveLength(1);
    expect(
      (agentx(cwd, ['clarify', '--issue', '1', '--json']).json() as { clarifications: unknown[] }).clarifications,
    ).toHaveLength(1);
  });

  it('withdraws nothing when a call is cancelled', async () => {
    const cwd = await withArchitect();
    const { send, lines } = raw(cwd);
    send(INITIALIZE);
    send(callOf(1, 'request_clarification', ASK));
    await untilThere(cwd, 'asked');
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'timeout' } });
    letGo(cwd);
    const looks = () => lines.map((line) => JSON.parse(line)).find(({ id }) => id === 2)?.result.structuredContent;
    send(callOf(2, 'get_question', { id: 'CLR-1-001', wait_seconds: 40 }));
    await until(() => looks() !== undefined);
    expect(looks()).toMatchObject({ status: 'answered', answer: 'Two.' });
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toBe('CLR-1-001\n');
  });

  it('reports progress to a client that wants it', { timeout: 120_000 }, async () => {
    const cwd = await withArchitect();
    const { send, lines } = raw(cwd);
    send(INITIALIZE);
    const call = callOf(1, 'request_clarification', ASK);
    send({ ...call, params: { ...call.params, _meta: { progressToken: 'abc' } } });
    const reports = () =>
      lines.map((line) => JSON.parse(line)).filter(({ method }) => method === 'notifications/progress');
    await until(() => reports().length > 0);
    expect(reports()[0]).toMatchObject({ params: { progressToken: 'abc', progress: 1 } });
    letGo(cwd);
  });

  it('serves ten clients of one folder at once, and keeps their questions apart', async () => {
    const turns = '[[turns]]\nagent = "architect"\nanswer = "Two."\ntimes = 0\n';
    const config = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"';
    const cwd = await aRepository({ issues: ISSUES, config, files: { 'turns.toml': turns } });
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const clients = await Promise.all(numbers.map(() => connect(cwd, { options: ['--wait', '1'] })));
    const results = await Promise.all(
      clients.map((client, index) =>
        callTool(client, 'ask_human', { questions: [`What is colour number ${index} to be?`] }),
      ),
    );
    expect(new Set(results.map(({ data }) => data.id)).size).toBe(10);
    const assumed = await Promise.all(
      clients.map((client, index) =>
        callTool(client, 'record_assumption', { decision: `Number ${index}`, from: 'engineer', issue: 1 }),
      ),
    );
    expect(new Set(assumed.map(({ data }) => data.id)).size).toBe(10);
    const answered = await Promise.all(
      clients.map((client, index) =>
        callTool(client, 'request_clarification', { ...ASK, topic: `Topic ${index}` }).then(({ data: { id } }) =>
          expect
            .poll(async () => (await callTool(client, 'get_question', { id })).data)
            .toMatchObject({ answer: 'Two.' }),
        ),
      ),
    );
    expect(answered).toHaveLength(10);
    expect(agentx(cwd, ['clarify', '--issue', '1', '--json']).json()).toMatchObject({
      clarifications: { length: 10 },
    });
    // The same of all of them is one question.
    const same = await Promise.all(
      clients.map((client) => callTool(client, 'ask_human', { questions: ['Which region?'] })),
    );
    expect(new Set(same.map(({ data }) => data.id)).size).toBe(1);
  });
});
