import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { agentx, aRepository } from './support/agentx.js';
import { connect, resultOf, type ToolResult } from './support/mcp.js';

const ARGS = { questions: ['Which region?'] };
const ACCEPT = { answer: { action: 'accept', content: { answer: 'Europe.' } } };
const DECLINE = { answer: { action: 'decline' } };

const inboxOf = (cwd: string) =>
  (agentx(cwd, ['inbox', '--all', '--json']).json() as { questions: readonly Record<string, unknown>[] }).questions;

/** A client that does not go on by itself when it is to show a form. */
async function manual(cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Client> {
  const person = async () => ({ action: 'cancel' as const });
  return connect(cwd, { revision: '2026-07-28', person, env, options: ['--wait', '1'] });
}

async function stateOf(client: Client, args: Record<string, unknown> = ARGS): Promise<string> {
  const result = await client.callTool({ name: 'ask_human', arguments: args }, { allowInputRequired: true });
  if (!('requestState' in result) || typeof result.requestState !== 'string') throw new Error('no form came');
  return result.requestState;
}

async function retry(
  client: Client,
  { state, responses = ACCEPT, args = ARGS }: { state: string; responses?: unknown; args?: Record<string, unknown> },
): Promise<ToolResult> {
  const params = { name: 'ask_human', arguments: args, inputResponses: responses, requestState: state };
  return resultOf(await client.request({ method: 'tools/call', params }));
}

describe('the state that a client of 2026-07-28 keeps for us', () => {
  it('is taken once, also after a restart of the server [X-6/5]', async () => {
    const cwd = await aRepository();
    const state = await stateOf(await manual(cwd));
    // The server of the first client is another process than that of the second.
    const client = await manual(cwd);
    expect(await retry(client, { state, responses: DECLINE })).toMatchObject({
      isError: false,
      data: { status: 'pending' },
    });
    const replayed = await retry(client, { state });
    expect(replayed).toMatchObject({ isError: true, data: { error: { code: 'UNAUTHORIZED' } } });
    expect(replayed.text).toContain('was used before');
    expect(await retry(await manual(cwd), { state })).toMatchObject({ isError: true });
    expect(inboxOf(cwd)).toMatchObject([{ status: 'open' }]);
  });

  it('is refused for other arguments, another question or person, and if it was changed [X-6/5]', async () => {
    const cwd = await aRepository();
    const client = await manual(cwd);
    const state = await stateOf(client);
    const other = { questions: ['Which colour?'] };
    const colour = await stateOf(client, other);
    const refusals = [
      await retry(client, { state, args: other }),
      await retry(client, { state: colour }),
      await retry(client, { state: `${state.slice(0, -2)}AA` }),
      await retry(client, { state: 'nonsense' }),
      await retry(client, { state: '' }),
    ];
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ isError: true, data: { error: { code: 'UNAUTHORIZED' } } });
    const asAnother = await retry(await manual(cwd, { USER: 'eve' }), { state });
    expect(asAnother).toMatchObject({ isError: true, data: { error: { code: 'UNAUTHORIZED' } } });
    expect(inboxOf(cwd)).toMatchObject([{ status: 'open' }, { status: 'open' }]);
    expect(await retry(client, { state })).toMatchObject({
      data: { status: 'answered', answers: [{ answer: 'Europe.' }] },
    });
  });

  it('does not answer a question that was answered meanwhile [X-7/1]', async () => {
    const cwd = await aRepository();
    const client = await manual(cwd);
    const state = await stateOf(client);
    agentx(cwd, ['inbox', 'answer', String(inboxOf(cwd)[0]?.id), '-m', 'America.']);
    expect(await retry(client, { state })).toMatchObject({
      data: { status: 'answered', answers: [{ answer: 'America.' }] },
    });
  });
});
