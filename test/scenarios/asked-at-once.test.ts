import { expect, it } from 'vitest';
import { aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const ROUNDS = 15;

it(`two processes that ask the same at the same instant end with one question (${ROUNDS} times) [OQ-8/2]`, async () => {
  const issues = Array.from({ length: ROUNDS }, (_, index) => ({ title: `Issue ${index + 1}` }));
  const cwd = await aRepository({ issues });
  const servers = await Promise.all([startServer(cwd), startServer(cwd)]);
  for (let issueNumber = 1; issueNumber <= ROUNDS; issueNumber += 1) {
    const calls = ['coder', 'tester'].map((agent, index) =>
      servers[index]?.call<{ notification: { id: string } }>('POST', '/notifications', {
        issueNumber,
        agent,
        source: 'execute',
        sourceId: String(issueNumber),
        questions: [{ text: 'Which endpoint is meant here?', options: [{ label: '/health' }, { label: '/status' }] }],
      }),
    );
    const answers = await Promise.all(calls);
    const ids = answers.map((answer) => answer?.body.notification.id);
    expect(new Set(ids).size, JSON.stringify(answers)).toBe(1);
    const { items } = await storeOf(cwd).questions.list({ issue: issueNumber });
    expect(items).toHaveLength(1);
    expect([items[0]?.askedBy.agent, ...(items[0]?.attached ?? []).map(({ agent }) => agent)].toSorted()).toEqual([
      'coder',
      'tester',
    ]);
  }
});
