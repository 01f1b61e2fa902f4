import { expect, it } from 'vitest';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { aClarification } from '../builders/clarification.js';
import { aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const ROUNDS = 15;

it(`an escalation that two people decide at the same instant, in two places, has one decision (${ROUNDS} times)`, async () => {
  const issues = Array.from({ length: ROUNDS }, (_, index) => ({ title: `Issue ${index + 1}` }));
  const cwd = await aRepository({ issues });
  const store = storeOf(cwd);
  const [first, second] = await Promise.all([startServer(cwd), startServer(cwd)]);
  for (let issueNumber = 1; issueNumber <= ROUNDS; issueNumber += 1) {
    const id = `CLR-${issueNumber}-001`;
    const asked = aClarification({ id, status: 'pending' });
    await store.ledgers.update(issueNumber, (ledger) => ({
      next: { ...ledger, clarifications: [asked] },
      result: undefined,
    }));
    await first.call('POST', `/clarifications/${id}/escalate`, { reason: 'nobody owns this' });
    const questionId = escalationQuestionId(id, 1);
    const responses = [{ questionId: 'q1', answer: 'By the inbox.' }];
    const [resolved, answered] = await Promise.all([
      first.call('POST', `/clarifications/${id}/resolve`, { body: 'By hand.' }),
      second.call('PATCH', `/notifications/${questionId}`, { revision: 1, responses }),
    ]);
    expect(resolved.status).toBe(200);
    const question = await store.questions.read(questionId);
    const decision = (await store.ledgers.read(issueNumber)).clarifications[0]?.thread.at(-1)?.body;
    expect([answered.status, question?.outcome, decision]).toEqual(
      answered.status === 200 ? [200, 'answered', 'By the inbox.'] : [409, 'superseded', 'By hand.'],
    );
  }
});
