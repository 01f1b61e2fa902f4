import { expect, it } from 'vitest';
import { aRunHub, steps } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;
const by = { principal: 'ada', channel: 'cli' } as const;

it('a task that waits for a human stays blocked while another step goes on', async () => {
  const asking = { status: 'failed' as const, open_questions: [{ text: 'Which currency?' }] };
  const openQuestion = async () => (await hub.store.questions.list({ status: 'open' })).items[0];
  const afterQuestion = async () => {
    for (let look = 0; look < 1000 && (await openQuestion()) === undefined; look++);
    return { status: 'continue' as const };
  };
  const hub = await aRunHub({
    workflow: steps({ id: 'code', agent: 'coder' }, { id: 'docs', agent: 'architect', iterate: true }),
    turns: { coder: [asking, 'Done.'], architect: [afterQuestion, 'Written.'] },
  });
  expect(await runIssue(hub, ONE)).toMatchObject({ status: 'paused' });
  const blocked = { taskStatus: 'blocked', block_reason: 'Open Question', assignee: null };
  expect(await hub.store.issues.read(1)).toMatchObject(blocked);
  await answerQuestion(hub, { id: (await openQuestion())?.id ?? '', text: 'Euros.', by });
  expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
  expect(await hub.store.issues.read(1)).toMatchObject({ taskStatus: 'done', block_reason: null });
});
