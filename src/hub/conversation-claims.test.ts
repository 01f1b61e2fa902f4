import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, recordOf, refused, statusOf, type TestHub, type Turn } from '../../test/builders/hub.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openFileStore } from '../storage/files/store.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { ask, followUp, route } from './conversation.js';
import { openFollowUp } from './follow-up.js';

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

describe('a process that stood still, was taken for dead, and then goes on with its target', () => {
  /** The first process loses its claim during the turn of its target; `whatFollows` is done by the second one. */
  async function twoProcesses(end: string, whatFollows: (second: TestHub) => Promise<unknown>) {
    const root = temporaryFolder();
    const second = await aHub({
      store: openFileStore({ root, sync: false }),
      turns: { architect: ['SQLite.'] },
    });
    const stoodStill: Turn = async () => {
      // Like a program that knows only the open format of locks: this one is old.
      unlinkSync(join(root, `state/clarifications/${clarificationId}.route.json.lock`));
      await whatFollows(second);
      return end;
    };
    const store = openFileStore({ root, sync: false });
    const first = await aHub({ store, issues: 0, turns: { architect: [stoodStill, end] } });
    const result = await ask(first, anAsk());
    return { first, second, result, record: await recordOf(second, clarificationId) };
  }

  it('does not answer a round that its successor has answered', async () => {
    const { first, result, record } = await twoProcesses('PostgreSQL.', (second) => route(second, { clarificationId }));
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(record.thread.map(({ body }) => body)).toEqual(['SQLite or PostgreSQL?', 'SQLite.']);
    expect(first.log.lines).toContainEqual(expect.objectContaining({ message: 'a late answer was dropped' }));
    expect(first.bus.names()).not.toContain('clarification-answered');
  });

  it('does not answer the next round with what was meant for the one before', async () => {
    const { record } = await twoProcesses('PostgreSQL.', async (second) => {
      await route(second, { clarificationId });
      await openFollowUp(second, { clarificationId, question: 'In which mode?', by: 'engineer' });
    });
    expect(record).toMatchObject({ status: 'pending', round: 2 });
    expect(record.thread.map(({ body }) => body)).toEqual(['SQLite or PostgreSQL?', 'SQLite.', 'In which mode?']);
  });

  it('hands nothing to a human when its target has failed twice', async () => {
    const { result, record, second } = await twoProcesses('', (other) => route(other, { clarificationId }));
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(record.status).toBe('answered');
    expect((await second.store.questions.list()).items).toEqual([]);
  });

  it('answers if its successor has not yet: the first answer counts, and the other one is dropped', async () => {
    let goOn = (): void => {};
    const released = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const root = temporaryFolder();
    let successor: Promise<unknown> = Promise.resolve();
    const second: TestHub = await aHub({
      store: openFileStore({ root, sync: false }),
      turns: { architect: [() => released.then(() => 'SQLite.')] },
    });
    const stoodStill: Turn = async () => {
      unlinkSync(join(root, `state/clarifications/${clarificationId}.route.json.lock`));
      successor = route(second, { clarificationId });
      return 'PostgreSQL.';
    };
    const store = openFileStore({ root, sync: false });
    const first = await aHub({ store, issues: 0, turns: { architect: [stoodStill] } });
    expect(await ask(first, anAsk())).toMatchObject({ status: 'answered', answer: 'PostgreSQL.' });
    goOn();
    expect(await successor).toMatchObject({ status: 'answered', answer: 'PostgreSQL.' });
    expect((await recordOf(second, clarificationId)).thread).toHaveLength(2);
  });
});
