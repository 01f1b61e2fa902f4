import type { ElicitResult } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { until } from '../support/until.js';
import { agentx, aRepository, spawnAgentx } from './support/agentx.js';
import { callTool, connect } from './support/mcp.js';
import { startServer } from './support/server.js';

interface Shown {
  readonly id: string;
  readonly revision: number;
  readonly outcome: string;
  readonly responses: readonly { readonly optionIds?: readonly string[] }[];
  readonly answeredBy: { readonly principal: string; readonly channel: string };
}

const OPTIONS = ['EU', 'US', 'Asia'].map((label) => ({ label }));

it('one of those who answer in a terminal, on the page and at a client at once wins, and the others are told', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Checkout' }] });
  const server = await startServer(cwd, { env: { USER: 'bob' } });
  for (let round = 1; round <= 4; round += 1) {
    let submit: ((result: ElicitResult) => void) | undefined;
    const person = () =>
      new Promise<ElicitResult>((resolve) => {
        submit = resolve;
      });
    const client = await connect(cwd, { revision: '2026-07-28', person });
    const call = callTool(client, 'ask_human', {
      questions: [{ text: `Region ${round}?`, options: OPTIONS }],
      issue: 1,
    });
    const form = await until(() => submit);
    const { questions } = agentx(cwd, ['inbox', '--json']).json() as { readonly questions: readonly Shown[] };
    const { id = '', revision = 0 } = questions[0] ?? {};

    const typed = spawnAgentx(cwd, ['inbox', 'answer', id, '--option', 'a', '--json'], { env: { USER: 'ada' } }).ended;
    // The terminal's program takes a while to start; who is first differs from round to round.
    await new Promise((resolve) => setTimeout(resolve, (round - 1) * 80));
    const clicked = server.call<{ error?: { code: string; details: { question: Shown } }; notification?: Shown }>(
      'PATCH',
      `/notifications/${id}`,
      { revision, responses: [{ questionId: 'q1', optionIds: ['b'] }] },
    );
    form({ action: 'accept', content: { answer: 'Asia' } });
    const [terminal, page, { data: result }] = await Promise.all([typed, clicked, call]);

    const shown = agentx(cwd, ['inbox', 'show', id, '--json']).json() as Shown;
    expect(shown.outcome).toBe('answered');
    expect(shown.responses).toHaveLength(1);
    const channel = shown.answeredBy.channel;
    expect(terminal.status).toBe(channel === 'cli' ? 0 : 1);
    expect(page.status).toBe(channel === 'web' ? 200 : 409);
    // Every client hears the decision, even if another client made it.
    expect(result).toMatchObject({
      status: 'answered',
      answeredBy: { channel },
      answers: [{ optionIds: shown.responses[0]?.optionIds }],
    });
    if (channel !== 'cli') {
      const refusal = JSON.parse(terminal.stderr.trim().split('\n').at(-1) ?? '');
      expect(refusal).toMatchObject({
        error: { code: 'CONFLICT', details: { question: { responses: shown.responses } } },
      });
    }
    if (channel !== 'web') {
      expect(page.body).toMatchObject({
        error: { code: 'CONFLICT', details: { question: { responses: shown.responses } } },
      });
    }
    const { comments } = agentx(cwd, ['issue', 'show', '1', '--json']).json() as { comments: readonly unknown[] };
    expect(comments).toHaveLength(round);
    expect(comments.at(-1)).toMatchObject({ author: shown.answeredBy.principal });
    await client.close();
  }
});

it('a draft for a question that has ended is kept, and says so: what a person typed is not lost', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Checkout' }] });
  const server = await startServer(cwd);
  const asking = {
    agent: 'engineer',
    source: 'execute',
    sourceId: '1',
    issueNumber: 1,
    questions: [{ text: 'Region?', options: OPTIONS }],
  };
  const { body } = await server.call<{ notification: Shown }>('POST', '/notifications', asking);
  const { id } = body.notification;
  expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a']).status).toBe(0);
  const draft = { responses: [{ questionId: 'q1', answer: 'US, because of the tax' }], version: 'one' };
  expect(await server.call('PUT', `/notifications/${id}/draft`, draft)).toMatchObject({
    status: 200,
    body: { notification: { status: 'resolved', outcome: 'answered', drafts: [{ responses: draft.responses }] } },
  });
  expect((await server.call('PUT', '/notifications/oq-ffffffff/draft', draft)).status).toBe(404);
});
