import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, refused, statusOf, type TestHub } from '../../test/builders/hub.js';
import { ask } from '../hub/conversation.js';
import { escalate } from '../hub/escalate.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { answerQuestion } from './answer-question.js';
import { declineQuestion, dismissQuestion } from './end-question.js';

const clarificationId = 'CLR-1-001';
const id = escalationQuestionId(clarificationId, 1);
const by = { principal: 'ada', channel: 'cli' as const };

async function anEscalation(): Promise<TestHub> {
  const hub = await aHub({ turns: { architect: ['PostgreSQL.'] } });
  await atWork(hub, 'engineer');
  await ask(hub, anAsk());
  await escalate(hub, { clarificationId, reason: 'they go in circles' });
  return hub;
}

describe.each([
  ['declined', declineQuestion],
  ['dismissed', dismissQuestion],
] as const)('an escalation that is %s', (outcome, end) => {
  it('is resolved with that outcome, and its requester goes on with an assumption [US-2.3/16]', async () => {
    const hub = await anEscalation();
    const { question, record } = await end(hub, { id, by });
    expect(question).toMatchObject({ status: 'resolved', outcome, answeredBy: { principal: 'ada', revision: 1 } });
    expect(record).toMatchObject({ status: 'resolved', outcome });
    expect(record?.thread.at(-1)?.body).toBe(`No decision (${outcome}). engineer goes on with assumption ASM-1-001.`);
    expect((await hub.store.assumptions.read(1)).assumptions_made).toEqual([
      {
        decision: 'Database adapter: PostgreSQL.',
        blocker_type: 'none',
        user_response: 'inferred_from_clarification',
        reasoning: `CLR-1-001 was escalated and its question ${id} ended ${outcome}, without a decision.`,
        confidence: 'low',
        risk_if_wrong: 'medium - what engineer builds on it has to be reworked',
        id: 'ASM-1-001',
        issueNumber: 1,
        agent: 'engineer',
        questionId: id,
        artifacts: [],
        status: 'standing',
        createdAt: hub.clock.now(),
      },
    ]);
    expect((await statusOf(hub, 'engineer')).status).toBe('working');
  });

  it('stays so when it is done twice', async () => {
    const hub = await anEscalation();
    const first = await end(hub, { id, by });
    expect(await end(hub, { id, by })).toEqual(first);
    expect((await hub.store.assumptions.read(1)).assumptions_made).toHaveLength(1);
  });

  it('cannot be answered any more', async () => {
    const hub = await anEscalation();
    await end(hub, { id, by });
    expect((await refused(answerQuestion(hub, { id, text: 'Wait!', by }))).code).toBe('CONFLICT');
  });
});

describe('ending a question', () => {
  it('that a person answered is a conflict', async () => {
    const hub = await anEscalation();
    await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect((await refused(declineQuestion(hub, { id, by }))).code).toBe('CONFLICT');
    expect((await hub.store.assumptions.read(1)).assumptions_made).toEqual([]);
  });

  it('goes by the revision that was seen', async () => {
    const hub = await anEscalation();
    expect((await refused(dismissQuestion(hub, { id, by, revision: 3 }))).code).toBe('CONFLICT');
  });
});
