import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository } from './support/agentx.js';
import { callTool, connect, REVISIONS } from './support/mcp.js';

const ISSUES = [{ title: 'Health endpoint', labels: ['type:feature'] }];
const SCRIPT = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"';
const ANSWER = '[[turns]]\nanswer = "Two adapters."\n[[turns]]\nanswer = "One for each environment."';
const ASK = {
  to: 'architect',
  topic: 'Database layer',
  question: 'Two adapters, or migrate?',
  from: 'engineer',
  issue: 1,
};

const answering = (turns = ANSWER) => aRepository({ issues: ISSUES, config: SCRIPT, files: { 'turns.toml': turns } });
const slow = () =>
  aRepository({
    issues: ISSUES,
    config: '[agents.architect]\nrunner = "command"\ncommand = ["node", "architect.mjs"]',
    files: { 'architect.mjs': patientAgent('Two adapters.') },
  });

interface Ledger {
  readonly clarifications: readonly { readonly id: string; readonly status: string; readonly blocking: boolean }[];
}
const ledgerOf = (cwd: string) => agentx(cwd, ['clarify', '--issue', '1', '--json']).json() as Ledger;
const inboxOf = (cwd: string) =>
  (agentx(cwd, ['inbox', '--all', '--json']).json() as { questions: readonly Record<string, unknown>[] }).questions;

describe.each(REVISIONS)('agentx mcp, to a client of revision %s', (revision) => {
  it('has every tool, with schemas and hints, every resource and a prompt for each role [X-6/1] [X-6/4]', async () => {
    const cwd = await answering();
    const client = await connect(cwd, { revision });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getInstructions()).toContain('request_clarification');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'request_clarification',
        'follow_up_clarification',
        'resolve_clarification',
        'ask_human',
        'record_assumption',
        'recall_memory',
        'get_observation',
        'remember',
        'get_issue',
        'list_ready',
        'report_status',
        'get_question',
      ]),
    );
    for (const { name, title, description = '', inputSchema, annotations } of tools) {
      expect(title, name).toBeTruthy();
      // Some clients show their model the first sentence only.
      expect(description.split(/[.:\n]/)[0]?.length, name).toBeLessThan(200);
      expect(inputSchema, name).toMatchObject({ type: 'object', properties: {} });
      // Models read it with every request, and some clients drop what has several forms.
      expect(JSON.stringify(inputSchema), name).not.toMatch(/anyOf|\$schema|additionalProperties":\{/);
      expect(annotations?.readOnlyHint, name).toBeTypeOf('boolean');
      expect(annotations?.destructiveHint, name).toBe(false);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'agentx://issues/{n}',
      'agentx://clarifications/{n}',
      'agentx://assumptions/{n}',
    ]);
    const { contents } = await client.readResource({ uri: 'agentx://issues/1' });
    expect(JSON.stringify(contents)).toContain('Health endpoint');
    await expect(client.readResource({ uri: 'agentx://issues/7' })).rejects.toThrow('There is no issue #7');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['engineer', 'architect', 'product-manager']),
    );
    const prompt = await client.getPrompt({ name: 'engineer', arguments: { issue: '1' } });
    expect(JSON.stringify(prompt.messages)).toMatch(/# Engineer.*#1 Health endpoint/);
  });

  it('asks an agent through the hub, follows up, and closes it', async () => {
    const cwd = await answering();
    const client = await connect(cwd, { revision });
    const result = await callTool(client, 'request_clarification', ASK);
    expect(result.data).toMatchObject({ status: 'answered', id: 'CLR-1-001', answer: 'Two adapters.', round: 1 });
    expect(result.text).toContain('architect: Two adapters.');
    const again = await callTool(client, 'follow_up_clarification', { id: 'clr-1-1', question: 'Which?' });
    expect(again.data).toMatchObject({ status: 'answered', answer: 'One for each environment.', round: 2 });
    const closed = await callTool(client, 'resolve_clarification', { id: 'CLR-1-001', message: 'Two it is.' });
    expect(closed.data).toMatchObject({ status: 'resolved' });
    expect(ledgerOf(cwd).clarifications).toMatchObject([{ id: 'CLR-1-001', from: 'engineer', status: 'resolved' }]);
  });

  it('gives a target that takes long back to the client, and its answer to the next look [X-6/3]', async () => {
    const cwd = await slow();
    const client = await connect(cwd, { revision, options: ['--wait', '1'] });
    const result = await callTool(client, 'request_clarification', ASK);
    expect(result.data).toMatchObject({ status: 'pending', id: 'CLR-1-001' });
    expect(result.data.next).toContain('get_question with id CLR-1-001');
    // The same again, as after a timeout of the client, is the same clarification.
    expect((await callTool(client, 'request_clarification', ASK)).data).toMatchObject({ id: 'CLR-1-001' });
    letGo(cwd);
    await expect
      .poll(async () => (await callTool(client, 'get_question', { id: 'CLR-1-001', wait_seconds: 30 })).data)
      .toMatchObject({ status: 'answered', answer: 'Two adapters.' });
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toBe('CLR-1-001\n');
    expect((await callTool(client, 'request_clarification', ASK)).data).toMatchObject({ status: 'answered' });
    expect(ledgerOf(cwd).clarifications).toHaveLength(1);
  });

  it('lets an agent that does not wait go on at once', async () => {
    const cwd = await slow();
    const client = await connect(cwd, { revision });
    const result = await callTool(client, 'request_clarification', { ...ASK, blocking: false });
    expect(result.data).toMatchObject({ status: 'pending', id: 'CLR-1-001' });
    expect(existsSync(join(cwd, 'go'))).toBe(false);
    await untilThere(cwd, 'asked');
    letGo(cwd);
    await expect
      .poll(async () => (await callTool(client, 'get_question', { id: 'CLR-1-001', wait_seconds: 5 })).data)
      .toMatchObject({ status: 'answered' });
  });

  it('lets an agent that does not wait for a person go on at once', async () => {
    const cwd = await aRepository({ issues: ISSUES, config: '[agents.architect]\nrunner = "human"' });
    const client = await connect(cwd, { revision, options: ['--wait', '300'] });
    const result = await callTool(client, 'request_clarification', { ...ASK, blocking: false });
    expect(result.data).toMatchObject({ status: 'escalated', id: 'CLR-1-001' });
    expect(result.data.next).toMatch(/^This is with a human now: .+ Go on with your work, .+get_question.+CLR-1-001/);
    const [{ id }] = inboxOf(cwd) as [{ readonly id: string }];
    expect(agentx(cwd, ['inbox', 'answer', id, '-m', 'Two.']).status).toBe(0);
    expect((await callTool(client, 'get_question', { id: 'CLR-1-001', wait_seconds: 30 })).data).toMatchObject({
      status: 'resolved',
      answer: 'Two.',
    });
  });

  it('puts a question of its agent into the inbox, with a link and how to look for the answer [X-6/3]', async () => {
    const cwd = await answering();
    const client = await connect(cwd, { revision, name: 'Some Client 2', options: ['--wait', '1'] });
    const questions = [{ question: 'Which region?', options: ['EU', { label: 'US', recommended: true }] }];
    const result = await callTool(client, 'ask_human', { questions, issue: 1 });
    const id = String(result.data.id);
    expect(result.data).toMatchObject({ status: 'pending', link: `http://127.0.0.1:4820/inbox/${id}` });
    expect(result.data.next).toContain(`get_question with id ${id}`);
    expect(inboxOf(cwd)).toMatchObject([
      { id, askedBy: { agent: 'some-client-2', chain: ['some-client-2'] }, issueNumber: 1, blocking: true },
    ]);
    expect((await callTool(client, 'ask_human', { questions, issue: 1 })).data).toMatchObject({ id });
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'b']).status).toBe(0);
    const answered = await callTool(client, 'get_question', { id, wait_seconds: 30 });
    expect(answered.data).toMatchObject({
      status: 'answered',
      answers: [{ part: 'q1', answer: 'US', optionIds: ['b'] }],
      answeredBy: { principal: 'ada', channel: 'cli' },
    });
    expect(answered.text).toContain('US');
    expect((await callTool(client, 'ask_human', { questions, issue: 1 })).data).toMatchObject({ status: 'answered' });
    expect(inboxOf(cwd)).toHaveLength(1);
  });

  it('ends the wait of a call when a human answers elsewhere [X-7/1]', async () => {
    const cwd = await answering();
    const client = await connect(cwd, { revision, options: ['--wait', '600'] });
    const call = callTool(client, 'ask_human', { questions: 'Which region?' });
    await expect.poll(() => inboxOf(cwd).length).toBe(1);
    agentx(cwd, ['inbox', 'answer', String(inboxOf(cwd)[0]?.id), '-m', 'Europe.']);
    expect((await call).data).toMatchObject({ status: 'answered', answers: [{ answer: 'Europe.' }] });
  });

  it('records an assumption once, and what an agent does', async () => {
    const cwd = await answering();
    const client = await connect(cwd, { revision, env: { AGENTX_AGENT: 'engineer', AGENTX_ISSUE: '1' } });
    const assumption = { decision: 'UTF-8 everywhere', reasoning: 'As elsewhere', confidence: 'high' };
    expect((await callTool(client, 'record_assumption', assumption)).data).toMatchObject({ id: 'ASM-1-001' });
    expect((await callTool(client, 'record_assumption', assumption)).data).toMatchObject({ id: 'ASM-1-001' });
    expect(agentx(cwd, ['assumptions', '--json']).json()).toMatchObject({
      assumptions: [{ id: 'ASM-1-001', agent: 'engineer', decision: 'UTF-8 everywhere', status: 'standing' }],
    });
    await callTool(client, 'report_status', { status: 'working' });
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ engineer: { status: 'working' } });
    expect((await callTool(client, 'list_ready')).data).toMatchObject({ ready: [{ number: 1 }] });
  });

  it('keeps an agent that we started to its own name, and every client from being a human [X-8/3]', async () => {
    const cwd = await answering();
    const engineer = await connect(cwd, { revision, env: { AGENTX_AGENT: 'engineer', AGENTX_ISSUE: '1' } });
    const { from: _, issue: __, ...own } = ASK;
    const posing = await callTool(engineer, 'request_clarification', { ...own, from: 'reviewer' });
    expect(posing).toMatchObject({ isError: true, data: { error: { code: 'UNAUTHORIZED' } } });
    expect((await callTool(engineer, 'request_clarification', own)).data).toMatchObject({ status: 'answered' });
    const anybody = await connect(cwd, { revision });
    const human = await callTool(anybody, 'resolve_clarification', {
      id: 'CLR-1-001',
      message: 'Mine.',
      from: 'human',
    });
    expect(human).toMatchObject({ isError: true, data: { error: { code: 'UNAUTHORIZED' } } });
    const other = await callTool(anybody, 'resolve_clarification', {
      id: 'CLR-1-001',
      message: 'Mine.',
      from: 'tester',
    });
    expect(other).toMatchObject({ isError: true });
    expect(ledgerOf(cwd).clarifications).toMatchObject([{ status: 'answered' }]);
  });

  it('reports its errors as results that say what to do', async () => {
    const client = await connect(await answering(), { revision });
    const missing = await callTool(client, 'get_issue', { issue: 7 });
    expect(missing).toMatchObject({ isError: true, data: { error: { code: 'NOT_FOUND' } } });
    expect(missing.text).toMatch(/^NOT_FOUND: There is no issue #7\.\nNext: Check the number/);
    const wrong = await callTool(client, 'get_issue', { issue: 'seven' });
    expect(wrong.text).toContain('INVALID_INPUT: The call of get_issue is not valid: issue must be a number.\nNext: ');
    for (const questions of [undefined, [], '']) {
      const nothing = await callTool(client, 'ask_human', { questions });
      expect(nothing.text).toContain('INVALID_INPUT: Nothing is asked. Call again with questions, such as [{"text"');
    }
    const scope = await callTool(client, 'request_clarification', { ...ASK, to: 'reviewer' });
    expect(scope).toMatchObject({ isError: true, data: { error: { code: 'SCOPE_VIOLATION' } } });
    expect(scope.text).toContain('Allowed: ');
    const guest = await callTool(client, 'request_clarification', { ...ASK, from: undefined });
    expect(guest.text).toMatch(/Who asks\? .* Call again with from, .* engineer/);
  });

  it('remembers, recalls and reads what was remembered', async () => {
    const client = await connect(await answering(), { revision });
    const fact = { content: 'Health checks run every 30 seconds.', issue: 1, from: 'engineer' };
    const first = await callTool(client, 'remember', fact);
    const again = await callTool(client, 'remember', fact);
    expect(again).toMatchObject({ data: { id: first.data.id, merged: true } });
    const result = await callTool(client, 'recall_memory', {
      query: 'interval of the health check',
      from: 'architect',
    });
    expect(result).toMatchObject({ data: { results: [{ id: first.data.id }] } });
    const misspelt = await callTool(client, 'recall_memory', { query: 'helath', from: 'architect' });
    expect(misspelt).toMatchObject({ text: expect.stringContaining('Health'), data: { didYouMean: 'Health' } });
    const recall = await callTool(client, 'recall_memory', { issue: 1, from: 'engineer' });
    expect(recall.text).toContain('## Memory Recall');
    const whole = await callTool(client, 'get_observation', { id: first.data.id });
    expect(whole).toMatchObject({ data: { observation: { content: fact.content, agent: 'engineer', count: 2 } } });
    expect(await callTool(client, 'get_observation', { id: '../x' })).toMatchObject({ isError: true });
  });

  it('starts where there is no .agentx folder, and says what to do when it is called', async () => {
    const client = await connect(temporaryFolder(), { revision });
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const result = await callTool(client, 'list_ready');
    expect(result).toMatchObject({ isError: true, data: { error: { code: 'NOT_FOUND' } } });
    expect(result.text).toContain('agentx init');
  });
});
