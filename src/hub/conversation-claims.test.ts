import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, recordOf, refused, statusOf, type TestHub } from '../../test/builders/hub.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { ask, followUp, route } from './conversation.js';

const clarificationId = 'CLR-1-001';

describe('a question that nobody waits for', () => {
  it('leaves its requester at work, and is answered later, in a brief of its own [US-2.1/16]', async () => {
    const hub = await aHub({ turns: { architect: ['PostgreSQL.'] } });
    await atWork(hub, 'engineer');
    const opened = await openAsk(hub, anAsk({ blocking: false }));
    expect(opened.status).toBe('pending');
    expect((await statusOf(hub, 'engineer')).status).toBe('working');
    expect(hub.briefs).toEqual([]);

    expect(await route(hub, { clarificationId })).toMatchObject({ status: 'answered', answer: 'PostgreSQL.' });
    await ask(hub, anAsk({ from: 'reviewer', to: 'engineer', blocking: false, question: 'Which one was it?' }));
    const told = hub.briefs.at(-1);
    expect(told).toMatchObject({ agent: 'engineer', clarifications: [{ id: clarificationId, answer: 'PostgreSQL.' }] });
    expect(told?.prompt).toContain('PostgreSQL.');
  });

  it('is not asked any more when somebody has answered it meanwhile', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk({ blocking: false }));
    await answer(hub, { clarificationId, answer: 'SQLite.', by: 'human' });
    expect(await route(hub, { clarificationId })).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(hub.briefs).toEqual([]);
  });

  it('asked by two processes at once, has one answer', async () => {
    const hub = await aHub({ turns: { architect: ['PostgreSQL.', 'SQLite.'] } });
    await openAsk(hub, anAsk({ blocking: false }));
    const [one, other] = await Promise.all([route(hub, { clarificationId }), route(hub, { clarificationId })]);
    expect(one.answer).toBe(other.answer);
    expect((await recordOf(hub, clarificationId)).thread).toHaveLength(2);
  });

  it.each(['ask', 'follow-up'])('asked by an %s starts its target once, whoever comes along meanwhile', async (how) => {
    let beside: Promise<unknown> = Promise.resolve();
    const answering = async () => {
      beside = route(hub, { clarificationId });
      for (let turn = 0; turn < 100; turn++) await undefined;
      return 'SQLite.';
    };
    const hub: TestHub = await aHub({ turns: { architect: how === 'ask' ? [answering] : ['Which load?', answering] } });
    await ask(hub, anAsk());
    if (how === 'follow-up') await followUp(hub, { clarificationId, question: 'And now?', by: 'engineer' });
    expect(await beside).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(hub.briefs).toHaveLength(how === 'ask' ? 1 : 2);
  });

  it('that there is not is told of, and logged, for nobody may be listening', async () => {
    const hub = await aHub();
    expect((await refused(route(hub, { clarificationId: 'CLR-1-009' }))).code).toBe('NOT_FOUND');
    expect(hub.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ clarificationId: 'CLR-1-009' }) }),
    );
  });
});
