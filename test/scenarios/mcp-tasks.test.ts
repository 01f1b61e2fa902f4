import { type ConnectedMcpSessionPort, resultFromTaskOutcome, withTasks } from '@modelcontextprotocol/ext-tasks/client';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository } from './support/agentx.js';
import { raw } from './support/raw-mcp.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const ASK = {
  to: 'architect',
  topic: 'Database layer',
  question: 'Two adapters, or migrate?',
  from: 'engineer',
  issue: 1,
};

const repository = () =>
  aRepository({
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
    config: '[agents.architect]\nrunner = "command"\ncommand = ["node", "architect.mjs"]',
    files: { 'architect.mjs': patientAgent('Two.') },
  });

type Port = ConnectedMcpSessionPort & { readonly kill: () => Promise<unknown> };

/** A connection as the official library for clients of the extension wants it. */
function aPort(cwd: string, capabilities: object = { extensions: { [TASKS]: {} } }): Port {
  const { child, lines, send, ended } = raw(cwd, ['--wait', '1']);
  let last = 0;
  const dispatch: Port['dispatch'] = async (request) => {
    const { method, params = {} } = JSON.parse(JSON.stringify(request));
    const id = ++last;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
    const response = () => lines.map((line) => JSON.parse(line)).find((message) => message.id === id);
    await until(() => response() !== undefined);
    const { result, error } = response();
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
  };
  return {
    endpointId: 'agentx',
    taskCapabilities: { generation: 'v2', capabilities: {} },
    dispatch,
    onServerRequest: () => () => {},
    onNotification: () => () => {},
    onInvalidated: () => () => {},
    invalidated: false,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: { ...args } } });
const inboxOf = (cwd: string) =>
  (agentx(cwd, ['inbox', '--json']).json() as { questions: readonly { id: string }[] }).questions;

describe('a client with the tasks extension', () => {
  it('gets a task for what takes long, and the answer from it [X-6/3]', async () => {
    const cwd = await repository();
    const port = aPort(cwd);
    const { result } = (await port.dispatch({ method: 'server/discover' })) as { result: object };
    expect(result).toMatchObject({ capabilities: { extensions: { [TASKS]: {} } } });
    const session = withTasks(port);
    const execution = await session.callTool('request_clarification', ASK);
    await untilThere(cwd, 'asked');
    const settled = execution.settle();
    letGo(cwd);
    expect(resultFromTaskOutcome((await settled).outcome)).toMatchObject({
      structuredContent: { id: 'CLR-1-001', status: 'answered', answer: 'Two.' },
    });
    // What is answered already is no task.
    expect(await port.dispatch(call('request_clarification', ASK))).toMatchObject({
      result: { resultType: 'complete', structuredContent: { answer: 'Two.' } },
    });
    await session.close();
  });

  it('keeps the task when the server is killed, and loses nothing by cancelling it', async () => {
    const cwd = await repository();
    const first = aPort(cwd);
    const created = await first.dispatch(call('ask_human', { questions: ['Which region?'], issue: 1 }));
    const [question] = inboxOf(cwd);
    const task = { taskId: question?.id, ttlMs: null };
    expect(created).toMatchObject({ result: { resultType: 'task', status: 'working', ...task } });
    expect(await first.dispatch({ method: 'tasks/cancel', params: { taskId: task.taskId ?? '' } })).toMatchObject({
      result: { resultType: 'complete' },
    });
    await first.kill();
    const second = aPort(cwd);
    const look = () => second.dispatch({ method: 'tasks/get', params: { taskId: task.taskId ?? '' } });
    expect(await look()).toMatchObject({ result: { resultType: 'complete', status: 'working', ...task } });
    agentx(cwd, ['inbox', 'answer', String(question?.id), '-m', 'Europe.']);
    expect(await look()).toMatchObject({
      result: {
        status: 'completed',
        ...task,
        result: { resultType: 'complete', structuredContent: { answers: [{ answer: 'Europe.' }] } },
      },
    });
  });

  it('gets no task for what it does not wait for, for no such question, or if it does not declare the extension', async () => {
    const cwd = await repository();
    const port = aPort(cwd);
    const later = call('ask_human', { questions: ['Which region?'], issue: 1, blocking: false });
    expect(await port.dispatch(later)).toMatchObject({
      result: { resultType: 'complete', structuredContent: { status: 'pending' } },
    });
    const get = (taskId: string) => ({ method: 'tasks/get', params: { taskId } });
    expect(await port.dispatch(get('oq-ffffffffffffffff'))).toMatchObject({ error: { code: -32602 } });
    expect(await port.dispatch({ method: 'tasks/get', params: {} })).toMatchObject({ error: { code: -32602 } });
    const other = aPort(cwd, {});
    expect(await other.dispatch(get('oq-ffffffffffffffff'))).toMatchObject({ error: { code: -32021 } });
    expect(await other.dispatch(call('ask_human', { questions: ['Which region?'], issue: 1 }))).toMatchObject({
      result: { resultType: 'complete', structuredContent: { status: 'pending' } },
    });
  });
});
