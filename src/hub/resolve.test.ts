import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, doneWith, recordOf, refused, statusOf } from '../../test/builders/hub.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { completeEffects } from './complete-effects.js';
import { ask, followUp } from './conversation.js';
import { escalate } from './escalate.js';
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
    await doneWith(hub, 'architect');
    await openAsk(hub, anAsk());
    expect(await statusOf(hub, 'engineer')).toMatchObject({ status: 'blocked-clarification', waitingOn: 'architect' });
    expect(await statusOf(hub, 'architect')).toMatchObject({ status: 'clarifying', respondingTo: 'engineer' });
    await answer(hub, { clarificationId, answer: 'PostgreSQL.', by: 'architect' });
    await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    const none = { clarificationId: null, waitingOn: null, respondingTo: null };
    expect(await statusOf(hub, 'engineer')).toEqual({ status: 'working', ...none });
    expect(await statusOf(hub, 'architect')).toEqual({ status: 'done', ...none });
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

describe('resolving an escalated clarification', () => {
  it("is for a human, and takes the question out of the human's inbox [US-2.2/14]", async () => {
    const hub = await aHub();
    await atWork(hub, 'engineer');
    await ask(hub, anAsk());
    await escalate(hub, { clarificationId, reason: 'they go in circles' });
    expect((await statusOf(hub, 'engineer')).status).toBe('blocked-clarification');
    const error = await refused(resolve(hub, { clarificationId, body: 'I decide.', by: 'engineer' }));
    expect(error).toMatchObject({
      code: 'UNAUTHORIZED',
      message: "'engineer' may not resolve CLR-1-001, which is escalated. Allowed: human.",
    });
    await resolve(hub, { clarificationId, body: 'PostgreSQL it is.', by: 'human' });
    expect(await recordOf(hub, clarificationId)).toMatchObject({ status: 'resolved' });
    expect(await hub.store.questions.read(escalationQuestionId(clarificationId, 1))).toMatchObject({
      status: 'resolved',
      outcome: 'superseded',
    });
    expect(hub.bus.names()).toContain('notification-resolved');
    expect((await statusOf(hub, 'engineer')).status).toBe('working');
  });

  it('has happened though the question cannot be ended now: the next sweep ends it', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    await escalate(hub, { clarificationId, reason: 'they go in circles' });
    const update = () => Promise.reject(new AgentXError('LOCK_TIMEOUT', 'The question is locked.'));
    const store = { ...hub.store, questions: { ...hub.store.questions, update } };
    const result = await resolve({ ...hub, store }, { clarificationId, body: 'PostgreSQL it is.', by: 'human' });
    expect(result.status).toBe('resolved');
    await completeEffects(hub);
    expect(await hub.store.questions.read(escalationQuestionId(clarificationId, 1))).toMatchObject({
      outcome: 'superseded',
    });
  });
});
