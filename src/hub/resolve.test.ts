import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { aHub, anAsk, atWork, recordOf, refused, statusOf } from '../../test/builders/hub.js';
import { aHubWith } from '../../test/builders/ports.js';
import { aQuestion } from '../../test/builders/question.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import { answer } from './answer.js';
import { ask, openAsk } from './ask.js';
import { completeEffects } from './complete-effects.js';
import { escalate } from './escalate.js';
import { followUp } from './follow-up.js';
import type { HubPorts } from './ports.js';
import { resolve } from './resolve.js';

const clarificationId = 'CLR-1-001';

describe('resolving', () => {
  it('ends an answered clarification with a resolution and the time [US-2.2/8]', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    const result = await resolve(hub, { clarificationId, body: 'Clear. Proceeding.', by: 'engineer' });
    expect(result).toMatchObject({ status: 'resolved', round: 1 });
    expect(result.record).toMatchObject({ resolvedAt: hub.clock.now() });
    expect(result.record.thread.at(-1)).toMatchObject({
      type: 'resolution',
      from: 'engineer',
      body: 'Clear. Proceeding.',
    });
  });

  it('leaves both agents with the status they had before [US-2.2/19]', async () => {
    const hub = await aHub();
    await atWork(hub, 'engineer');
    await ask(hub, anAsk());
    await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    const none = { clarificationId: null, waitingOn: null, respondingTo: null };
    expect(await statusOf(hub, 'engineer')).toEqual({ status: 'working', ...none });
    expect(await statusOf(hub, 'architect')).toEqual({ status: 'idle', ...none });
  });

  it('gives back round and status like an answer does [US-2.2/20]', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const answered = await answer(hub, { clarificationId, answer: 'PostgreSQL.', by: 'architect' });
    expect(answered).toMatchObject({ round: 1, status: 'answered' });
    expect((await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' })).status).toBe('resolved');
  });

  it('a second time changes nothing and is no error', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    const first = await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    expect(await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' })).toEqual(first);
  });

  it('takes no further event after that [US-2.2/16]', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    for (const attempt of [
      answer(hub, { clarificationId, answer: 'But...', by: 'architect' }),
      followUp(hub, { clarificationId, question: 'But?', by: 'engineer' }),
      escalate(hub, { clarificationId, reason: 'I do not like it' }),
    ]) {
      expect((await refused(attempt)).code).toBe('INVALID_STATE');
    }
  });

  it('is not for a pending one, nor for somebody else', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    expect((await refused(resolve(hub, { clarificationId, body: 'Done.', by: 'engineer' }))).code).toBe(
      'INVALID_STATE',
    );
    await answer(hub, { clarificationId, answer: 'PostgreSQL.', by: 'architect' });
    expect((await refused(resolve(hub, { clarificationId, body: 'Done.', by: 'architect' }))).code).toBe(
      'UNAUTHORIZED',
    );
  });
});

describe('what a target asked a human before somebody else answered', () => {
  const asked = (fields: Partial<ClarificationRecord> = {}) =>
    aClarification({ id: clarificationId, status: 'answered', questions: ['oq-users'], ...fields });
  const users = (fields: Partial<Question> = {}) =>
    aQuestion({
      id: 'oq-users',
      issueNumber: 1,
      source: 'clarification',
      sourceId: clarificationId,
      origin: `${clarificationId}/1/0/question/0`,
      ...fields,
    });
  const outcomeIn = async ({ store }: HubPorts) => (await store.questions.read('oq-users'))?.outcome;

  it('is withdrawn when the clarification is resolved, and not before', async () => {
    const hub = await aHubWith([asked({ status: 'pending' })]);
    await hub.store.questions.create(users());
    await answer(hub, { clarificationId, answer: 'A hundred.', by: 'human' });
    await refused(resolve(hub, { clarificationId, body: 'Mine.', by: 'reviewer' }));
    expect(await outcomeIn(hub)).toBeUndefined();
    await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    expect(await outcomeIn(hub)).toBe('superseded');
    expect(hub.bus.names()).toContain('notification-resolved');
  });

  it('is withdrawn as well where a human resolves what was escalated', async () => {
    const hub = await aHubWith([asked({ status: 'escalated' })]);
    await hub.store.questions.create(users());
    await resolve(hub, { clarificationId, body: 'A hundred.', by: 'human' });
    expect(await outcomeIn(hub)).toBe('superseded');
  });

  it('stays open for whoever else waits for it, until that has ended too', async () => {
    const origin = 'CLR-1-002/1/0/question/0';
    const hub = await aHubWith([asked(), asked({ id: 'CLR-1-002' })]);
    await hub.store.questions.create(users({ attached: [{ origin, agent: 'architect' }] }));
    await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    expect(await outcomeIn(hub)).toBeUndefined();
    await resolve(hub, { clarificationId: 'CLR-1-002', body: 'Clear.', by: 'engineer' });
    expect(await outcomeIn(hub)).toBe('superseded');
  });

  it.each([
    ['a run waits for it', users({ attached: [{ origin: 'run-1-1a2b3c4d/build/1', agent: 'engineer' }] })],
    ['nobody had to wait for it', users({ blocking: false })],
  ])('stays open where %s', async (_, question) => {
    const hub = await aHubWith([asked()]);
    await hub.store.questions.create(question);
    await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    await completeEffects(hub);
    expect(await outcomeIn(hub)).toBeUndefined();
  });
});

describe('resolving an escalated clarification', () => {
  it("is for a human, and takes the question out of the human's inbox [US-2.2/14]", async () => {
    const hub = await aHub();
    await atWork(hub, 'engineer');
    await ask(hub, anAsk());
    await escalate(hub, { clarificationId, reason: 'they go in circles' });
    expect((await statusOf(hub, 'engineer')).status).toBe('blocked-clarification');
    const error = await refused(resolve(hub, { clarificationId, body: 'I decide.', by: 'engineer' }));
    expect(error.code).toBe('UNAUTHORIZED');
    await resolve(hub, { clarificationId, body: 'PostgreSQL it is.', by: 'human' });
    expect(await recordOf(hub, clarificationId)).toMatchObject({ status: 'resolved' });
    expect(await hub.store.questions.read(escalationQuestionId(clarificationId, 1))).toMatchObject({
      status: 'resolved',
      outcome: 'superseded',
    });
    expect(hub.bus.names()).toContain('notification-resolved');
    expect((await statusOf(hub, 'engineer')).status).toBe('working');
  });
});
