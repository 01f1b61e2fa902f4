import { describe, expect, it } from 'vitest';
import { letGo, patientAgent } from './support/agents.js';
import { agentx, aRepository } from './support/agentx.js';
import { callTool, connectTo, REVISIONS } from './support/mcp.js';
import { type ServedFolder, startServer } from './support/server.js';

const ISSUES = [{ title: 'Health endpoint', labels: ['type:feature'] }];
const ASK = {
  to: 'architect',
  topic: 'Database layer',
  question: 'Two adapters, or migrate?',
  from: 'engineer',
  issue: 1,
};
const PROGRAM = '[agents.architect]\nrunner = "command"\ncommand = ["node", "architect.mjs"]';
const inboxOf = (cwd: string) =>
  (agentx(cwd, ['inbox', '--all', '--json']).json() as { questions: readonly Record<string, unknown>[] }).questions;

async function served() {
  const cwd = await aRepository({ issues: ISSUES, config: PROGRAM, files: { 'architect.mjs': patientAgent('Two.') } });
  return { cwd, server: await startServer(cwd) };
}

describe.each(REVISIONS)('/mcp, to a client of revision %s', (revision) => {
  it('serves tools, resources and prompts over streamable HTTP [X-6/1] [X-6/4]', async () => {
    const { cwd, server } = await served();
    const client = await connectTo(server, { revision });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('request_clarification');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('engineer');
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('agentx://issues/1');
    letGo(cwd);
    const { id } = (await callTool(client, 'request_clarification', ASK)).data;
    // On a busy machine the call has gone on without the answer.
    await expect
      .poll(async () => (await callTool(client, 'get_question', { id })).data)
      .toMatchObject({ status: 'answered', answer: 'Two.' });
  });

  it('ends the wait of a call when the page is answered [X-7/1]', async () => {
    const { cwd, server } = await served();
    const client = await connectTo(server, { revision });
    const call = callTool(client, 'ask_human', { questions: 'Which region?', issue: 1 });
    await expect.poll(() => inboxOf(cwd).length).toBe(1);
    const id = String(inboxOf(cwd)[0]?.id);
    const responses = [{ questionId: 'q1', answer: 'Europe.' }];
    expect((await server.call('PATCH', `/notifications/${id}`, { responses, revision: 1 })).status).toBe(200);
    expect((await call).data).toMatchObject({ status: 'answered', answeredBy: { channel: 'web' } });
  });

  it('leaves the target at work when a client goes away in the middle of a call', async () => {
    const { cwd, server } = await served();
    const client = await connectTo(server, { revision });
    const call = callTool(client, 'request_clarification', ASK).catch(() => undefined);
    await expect
      .poll(() => agentx(cwd, ['clarify', '--json']).json())
      .toMatchObject({ clarifications: [{ status: 'pending' }] });
    await client.close();
    letGo(cwd);
    await call;
    const again = await connectTo(server, { revision });
    expect((await callTool(again, 'request_clarification', ASK)).data).toMatchObject({
      id: 'CLR-1-001',
      answer: 'Two.',
    });
  });
});

describe('/mcp', () => {
  it('asks the person at a client of 2026-07-28 in place [X-6/2]', async () => {
    const { cwd, server } = await served();
    const person = async () => ({ action: 'accept' as const, content: { answer: 'Europe.' } });
    const client = await connectTo(server, { revision: '2026-07-28', person });
    const result = await callTool(client, 'ask_human', { questions: 'Which region?' });
    expect(result.data).toMatchObject({ status: 'answered', answeredBy: { principal: 'ada', channel: 'mcp' } });
    expect(inboxOf(cwd)).toMatchObject([{ outcome: 'answered' }]);
  });

  it('lets in no client without the token, from another host or from a page of another origin', async () => {
    const { server } = await served();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const bearer = { authorization: `Bearer ${server.token}` };
    expect((await post(server, message, {})).status).toBe(401);
    expect((await post(server, message, { authorization: 'Bearer nonsense' })).status).toBe(401);
    expect((await post(server, message, { ...bearer, origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(server, message, { ...bearer, origin: server.url })).status).toBe(200);
    expect((await post(server, 'x'.repeat(2 * 1024 * 1024), bearer)).status).toBe(413);
    expect((await post(server, message, bearer)).status).toBe(200);
  });
});

function post({ url }: ServedFolder, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
