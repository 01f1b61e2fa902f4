import { describe, expect, it } from 'vitest';
import { refused } from '../../test/builders/hub.js';
import { anInbox } from '../../test/builders/inbox.js';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { AgentXError } from '../protocol/errors.js';
import { completeInbox } from './complete-inbox.js';
import { applyDueFallbacks } from './fallback.js';
import { isInboxDue } from './inbox-due.js';
import { keepAlive } from './keep-alive.js';

const MINUTE = 60_000;
const by = { principal: 'ada' };

async function anInboxWith(...questions: readonly ReturnType<typeof aQuestion>[]) {
  const inbox = await anInbox();
  for (const question of questions) await inbox.store.questions.create(question);
  return inbox;
}

describe('a question whose time is over', () => {
  it('takes its fallback exactly once, however many look [PM-4/11]', async () => {
    const inbox = await anInboxWith(anExpiringQuestion({ issueNumber: 1 }));
    inbox.clock.advance(5 * MINUTE);
    const applied = await Promise.all(Array.from({ length: 8 }, () => applyDueFallbacks(inbox)));
    expect(applied.flat()).toMatchObject([{ outcome: 'fallback_applied', answeredBy: { channel: 'timeout' } }]);
    expect(inbox.bus.names().filter((name) => name === 'notification-resolved')).toHaveLength(1);
    expect((await inbox.store.assumptions.list()).items).toMatchObject([
      { user_response: 'timeout_assumed', decision: 'Which database? SQLite', reasoning: 'already in the repository' },
    ]);
  });

  it('is found and takes its fallback although the state of planning is damaged', async () => {
    const inbox = await anInboxWith(anExpiringQuestion({ issueNumber: 1 }));
    const read = () => Promise.reject(new AgentXError('CORRUPT_FILE', 'orchestrator.json is damaged.'));
    const damaged = { ...inbox, store: { ...inbox.store, orchestrator: { read, update: read } } };
    inbox.clock.advance(5 * MINUTE);
    expect(await isInboxDue(damaged)).toBe(true);
    expect(await completeInbox(damaged)).toMatchObject([{ outcome: 'fallback_applied' }]);
  });

  it('is not one that is irreversible or declares no fallback [X-1/2]', async () => {
    const inbox = await anInboxWith(
      aQuestion({ id: 'oq-grave', consequence: 'irreversible' }),
      aQuestion({ id: 'oq-open' }),
    );
    inbox.clock.advance(365 * 24 * 60 * MINUTE);
    expect(await applyDueFallbacks(inbox)).toEqual([]);
    expect((await inbox.store.questions.list({ status: 'open' })).items).toHaveLength(2);
  });

  it('is not over while a person types an answer [X-4/3]', async () => {
    const question = anExpiringQuestion();
    const inbox = await anInboxWith(question);
    inbox.clock.advance(4.9 * MINUTE);
    for (let second = 0; second < 60; second += 10) {
      await keepAlive(inbox, { id: question.id, by, responses: [{ questionId: 'q1', answer: `My${second}` }] });
      inbox.clock.advance(10_000);
      expect(await applyDueFallbacks(inbox)).toEqual([]);
    }
    expect((await inbox.store.questions.read(question.id))?.drafts).toMatchObject([
      { principal: 'ada', responses: [{ answer: 'My50' }] },
    ]);
    inbox.clock.advance(MINUTE);
    expect(await applyDueFallbacks(inbox)).toHaveLength(1);
  });

  it('has to be known', async () => {
    const inbox = await anInbox();
    expect((await refused(keepAlive(inbox, { id: 'oq-nowhere', by }))).code).toBe('NOT_FOUND');
    expect((await refused(keepAlive(inbox, { id: '../x', by }))).code).toBe('INVALID_INPUT');
  });
});
