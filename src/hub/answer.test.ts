import { describe, expect, it } from 'vitest';
import { aHub, anAsk, recordOf, refused, statusOf } from '../../test/builders/hub.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { followUp } from './conversation.js';
import { resolve } from './resolve.js';

const clarificationId = 'CLR-1-001';

describe('an answer', () => {
  it('turns the record answered and gives back round and status [US-2.2/6]', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const result = await answer(hub, { clarificationId, answer: 'PostgreSQL.', by: 'architect', round: 1 });
    expect(result).toMatchObject({ clarificationId, status: 'answered', round: 1, answer: 'PostgreSQL.' });
    expect((await statusOf(hub, 'engineer')).status).toBe('idle');
  });

  it('is for the target or a human, as following up and resolving are for the requester or a human [US-2.2/27] [US-2.1/14]', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const by = 'reviewer';
    expect((await refused(answer(hub, { clarificationId, answer: 'Yes.', by }))).code).toBe('UNAUTHORIZED');
    await answer(hub, { clarificationId, answer: 'Yes.', by: 'human' });
    for (const outsider of [by, 'architect']) {
      const further = followUp(hub, { clarificationId, question: 'Why?', by: outsider });
      expect((await refused(further)).code).toBe('UNAUTHORIZED');
      const end = resolve(hub, { clarificationId, body: 'Done.', by: outsider });
      expect((await refused(end)).code).toBe('UNAUTHORIZED');
    }
    expect((await resolve(hub, { clarificationId, body: 'Done.', by: 'human' })).status).toBe('resolved');
  });

  it('is taken under any name of the target', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk({ to: 'pm' }));
    const error = await refused(answer(hub, { clarificationId, answer: 'Yes.', by: 'engineer' }));
    expect(error.code).toBe('UNAUTHORIZED');
    expect((await answer(hub, { clarificationId, answer: 'Yes.', by: 'pm' })).status).toBe('answered');
  });

  it('has one winner when two come at the same time', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const outcomes = await Promise.allSettled(
      ['Mine.', 'No, mine.'].map((text) => answer(hub, { clarificationId, answer: text, by: 'architect' })),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'INVALID_STATE' } });
    expect((await recordOf(hub, clarificationId)).thread).toHaveLength(2);
  });

  it('is no error a second time and changes nothing, whatever became of the record since', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk({ to: 'pm' }));
    const again = (by = 'pm') => answer(hub, { clarificationId, answer: 'Yes.', by, round: 1 });
    const first = await again();
    expect(await again()).toEqual(first);
    expect(await answer(hub, { clarificationId, answer: 'Yes.', by: 'product-manager' })).toEqual(first);
    const { record } = await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    expect(await again()).toMatchObject({ status: 'resolved', answer: 'Yes.', record });
    expect((await refused(again('human'))).code).toBe('INVALID_STATE');
    expect((await refused(answer(hub, { clarificationId, answer: 'No.', by: 'pm' }))).code).toBe('INVALID_STATE');
  });

  it('to another round is a conflict', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const error = await refused(answer(hub, { clarificationId, answer: 'Yes.', by: 'architect', round: 2 }));
    expect(error.code).toBe('CONFLICT');
  });

  it('has 1 to 2000 characters [CL-2/7]', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    for (const text of ['', 'x'.repeat(2001)]) {
      expect((await refused(answer(hub, { clarificationId, answer: text, by: 'architect' }))).code).toBe(
        'INVALID_INPUT',
      );
    }
    expect((await answer(hub, { clarificationId, answer: 'x'.repeat(2000), by: 'architect' })).status).toBe('answered');
  });
});
