import { describe, expect, it } from 'vitest';
import type { Turn } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { answer } from '../hub/answer.js';
import { escalate } from '../hub/escalate.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { runIssue } from './run-issue.js';

const clarificationId = 'CLR-1-001';
const ONE = { issueNumber: 1, wait: false } as const;

/** The architect is asked and says nothing; `meanwhile` happens to the question. */
async function aSilentTarget(meanwhile: (hub: TestRun) => Promise<unknown>): Promise<TestRun> {
  const silent: Turn = async () => {
    await meanwhile(hub);
    return new Promise(() => {});
  };
  const asks = { clarify: [{ to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?' }] };
  const hub = await aRunHub({
    workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'] }),
    turns: { engineer: [asks, 'Built.'], architect: [silent] },
  });
  return hub;
}

describe('a run whose target says nothing', () => {
  it('goes on when a person answers for it', async () => {
    const hub = await aSilentTarget((ports) => answer(ports, { clarificationId, answer: 'MySQL.', by: 'human' }));
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
    expect(hub.briefs.at(-1)?.clarifications).toMatchObject([{ status: 'answered', answer: 'MySQL.' }]);
  });

  it('waits for the human to whom the question was handed, and for nobody else [US-2.3/10]', async () => {
    const hub = await aSilentTarget((ports) => escalate(ports, { clarificationId, reason: 'it takes too long' }));
    const id = escalationQuestionId(clarificationId, 1);
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'paused', waitingOn: [id] });
    await answerQuestion(hub, { id, text: 'MySQL.', by: { principal: 'ada', channel: 'cli' } });
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
  });
});
