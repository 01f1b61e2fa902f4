import { describe, expect, it } from 'vitest';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { type Deliveries, noDeliveries } from '../protocol/delivery.js';
import { NotifyTable } from '../protocol/notify.js';
import type { Question } from '../protocol/question.js';
import { afterSending, revived } from './after-sending.js';
import { channelsOf } from './channel.js';
import { type Look, take } from './take-messages.js';

const START = Date.parse('2026-02-26T10:00:00Z');
const SECOND = 1000;
const at = (seconds: number): string => new Date(START + seconds * SECOND).toISOString();
const questionAt = (id: string, seconds: number): Question => aQuestion({ id, createdAt: at(seconds) });

const WEBHOOK = { channel: 'webhook', url: 'http://127.0.0.1:1/' };
const aLook = (seconds: number, questions: readonly Question[], tables: readonly object[] = [WEBHOOK]): Look => ({
  now: START + seconds * SECOND,
  channels: channelsOf(tables.map((table) => NotifyTable.parse(table))),
  canUse: () => true,
  questions,
  gone: [],
});

/** Looks every second, like a process that every change wakes; every message arrives. */
function messagesOver(
  seconds: number,
  questionsAt: (second: number) => readonly Question[],
  tables?: readonly object[],
) {
  let record: Deliveries = noDeliveries();
  const sent: string[] = [];
  for (let second = 0; second <= seconds; second++) {
    const look = aLook(second, questionsAt(second), tables);
    const { next, messages } = take(record, look);
    record = next;
    for (const message of messages) {
      sent.push(
        `${second} ${message.kind} ${message.news.map(({ questionId, event }) => `${questionId} ${event}`).join(', ')}`,
      );
      record = afterSending(record, message, { outcome: 'sent' }, look.now);
    }
  }
  return { sent, record };
}

describe('what is sent', () => {
  it('is one message for a question, after a moment in which others may follow', () => {
    expect(messagesOver(100, () => [questionAt('oq-1', 0)]).sent).toEqual(['10 webhook oq-1 opened']);
  });

  it('is one message for ten questions in a minute [X-13/4]', () => {
    const all = Array.from({ length: 10 }, (_, index) => questionAt(`oq-${index}`, index * 6));
    const { sent } = messagesOver(180, (second) => all.filter((_, index) => index * 6 <= second));
    expect(sent).toHaveLength(1);
    for (const { id } of all) expect(sent[0]).toContain(`${id} opened`);
  });

  it('does not wait for others longer than a quarter of the time to the fallback', () => {
    const short = anExpiringQuestion({ id: 'oq-1', createdAt: at(0), expiresAt: at(12) });
    const { sent } = messagesOver(11, () => [short], [{ ...WEBHOOK, deadline_minutes: 0 }]);
    expect(sent).toEqual(['3 webhook oq-1 opened']);
  });

  it('is no reminder beside the message that the question opened', () => {
    const short = anExpiringQuestion({ id: 'oq-1', createdAt: at(0), expiresAt: at(60) });
    expect(messagesOver(59, () => [short]).sent).toEqual(['0 webhook oq-1 opened']);
  });

  it('goes up the ladder until a person answers [X-13/2]', () => {
    const tables = [
      { channel: 'desktop', gather_seconds: 0 },
      { ...WEBHOOK, after_minutes: 1, gather_seconds: 0 },
    ];
    const open = questionAt('oq-1', 0);
    expect(messagesOver(100, () => [open], tables).sent).toEqual(['0 desktop oq-1 opened', '60 webhook oq-1 opened']);
    const answeredQuestion: Question = { ...open, status: 'resolved', outcome: 'answered', resolvedAt: at(30) };
    const { sent, record } = messagesOver(100, (second) => [second < 30 ? open : answeredQuestion], tables);
    expect(sent).toEqual(['0 desktop oq-1 opened', '30 desktop oq-1 answered']);
    expect(record.questions['oq-1']?.doneAt).toBe(at(30));
  });

  it('is the same again after a process died with it in hand, with the same id [X-13/6]', () => {
    const look = aLook(0, [questionAt('oq-1', 0)], [{ ...WEBHOOK, gather_seconds: 0 }]);
    const first = take(noDeliveries(), look);
    expect(first.messages).toHaveLength(1);
    const second = take(first.next, look);
    expect(second.messages.map(({ id }) => id)).toEqual(['oq-1.opened']);
    expect(second.messages).toEqual(first.messages);
  });

  it('is not an old note on the desktop', () => {
    const look = aLook(0, [questionAt('oq-1', 0)], [{ channel: 'desktop', gather_seconds: 0 }]);
    const second = take(take(noDeliveries(), look).next, look);
    expect(second.messages).toEqual([]);
    expect(second.next.messages.map(({ state }) => state)).toEqual(['dropped']);
  });

  it('waits where this process is sending already, and nowhere else', () => {
    const tables = [WEBHOOK, { ...WEBHOOK, url: 'http://127.0.0.1:2/' }];
    const first = take(noDeliveries(), aLook(10, [questionAt('oq-1', 0)], tables));
    const [slow = ''] = first.messages.map(({ channel }) => channel);
    const look = {
      ...aLook(30, [questionAt('oq-1', 0), questionAt('oq-2', 15)], tables),
      isBusy: (key: string) => key === slow,
    };
    const { next, messages } = take(first.next, look);
    expect(messages.filter(({ channel }) => channel === slow)).toEqual([]);
    expect(messages.map(({ id }) => id)).toContain('oq-2.opened');
    expect(next.messages.find(({ channel }) => channel === slow)).toEqual(first.messages[0]);
    const after = take(next, { ...look, isBusy: () => false });
    expect(after.messages.filter(({ channel }) => channel === slow).map(({ id }) => id)).toContain('oq-2.opened');
  });

  it('does not wait for a time that a clock was set back from', () => {
    const year = 365 * 24 * 60 * 60;
    const laterResult = take(
      noDeliveries(),
      aLook(year, [questionAt('oq-1', year)], [{ ...WEBHOOK, gather_seconds: 0 }]),
    );
    const [message] = laterResult.messages;
    if (message === undefined) throw new Error('Nothing was sent.');
    const failedRecord = afterSending(
      laterResult.next,
      message,
      { outcome: 'failed', error: 'x' },
      START + year * SECOND,
    );
    const back = aLook(10, [questionAt('oq-1', year), questionAt('oq-2', year)], [{ ...WEBHOOK, gather_seconds: 0 }]);
    const { messages, next } = take(failedRecord, back);
    expect(messages.map(({ id }) => id).toSorted()).toEqual(['oq-1.opened', 'oq-2.opened']);
    const endedQuestion = {
      ...questionAt('oq-1', year),
      status: 'resolved',
      outcome: 'answered',
      resolvedAt: at(20),
    } as const;
    const result = take(next, { ...aLook(30, [endedQuestion], [{ ...WEBHOOK, gather_seconds: 0 }]) });
    expect(result.messages.map(({ id }) => id)).toContain('oq-1.answered');
  });

  it('is left to another process where this one cannot use the channel', () => {
    const look = { ...aLook(0, [questionAt('oq-1', 0)], [{ ...WEBHOOK, gather_seconds: 0 }]), canUse: () => false };
    const { next, messages } = take(noDeliveries(), look);
    expect(messages).toEqual([]);
    expect(take(next, { ...look, canUse: () => true }).messages).toHaveLength(1);
  });

  it('is tried again, ever later, and given up at last', () => {
    const look = aLook(0, [questionAt('oq-1', 0)], [{ ...WEBHOOK, gather_seconds: 0 }]);
    let { next: record, messages, nextAt } = take(noDeliveries(), look);
    let now = look.now;
    const waits: number[] = [];
    while (messages[0] !== undefined && waits.length < 20) {
      record = afterSending(record, messages[0], { outcome: 'failed', error: 'the receiver replied 500' }, now);
      nextAt = take(record, { ...look, now }).nextAt;
      if (nextAt === undefined) break;
      waits.push((nextAt - now) / SECOND);
      now = nextAt;
      ({ next: record, messages } = take(record, { ...look, now }));
    }
    expect(waits).toEqual([2, 10, 60, 300, 1800, 7200]);
    expect(record.messages).toMatchObject([{ state: 'dead', tries: 7, error: 'the receiver replied 500' }]);
    const again = take(
      revived(record, () => true, now),
      { ...look, now },
    );
    expect(again.messages.map(({ id, tries }) => ({ id, tries }))).toEqual([{ id: 'oq-1.opened', tries: 0 }]);
  });

  it('is gathered, and tried again, outside of quiet hours alone [X-13/3]', () => {
    const table = { ...WEBHOOK, quiet: '10:00-10:30', time_zone: 'UTC' };
    const early = (gather_seconds: number) => aLook(-5, [questionAt('oq-1', -5)], [{ ...table, gather_seconds }]);
    const endOfQuiet = START + 30 * 60 * SECOND;
    const gathering = take(noDeliveries(), early(10));
    expect(take(gathering.next, { ...early(10), now: START + 5 * SECOND })).toMatchObject({
      messages: [],
      nextAt: endOfQuiet,
    });
    const { next, messages } = take(noDeliveries(), early(0));
    const [message] = messages;
    if (message === undefined) throw new Error('there is one');
    const failedResult = { outcome: 'failed', error: 'the receiver replied 500', retryAfterMs: 10 * SECOND } as const;
    const waitingRecord = afterSending(next, message, failedResult, START - 5 * SECOND);
    expect(take(waitingRecord, early(0)).nextAt).toBe(endOfQuiet);
    const laterResult = take(waitingRecord, { ...early(0), now: START + 60 * SECOND });
    expect(laterResult.messages).toEqual([]);
    expect(take(laterResult.next, { ...early(0), now: endOfQuiet }).messages).toHaveLength(1);
  });

  it('waits as long as the receiver asks for', () => {
    const look = aLook(0, [questionAt('oq-1', 0)], [{ ...WEBHOOK, gather_seconds: 0 }]);
    const { next, messages } = take(noDeliveries(), look);
    const [message] = messages;
    if (message === undefined) throw new Error('there is one');
    const failedResult = { outcome: 'failed', error: 'the receiver replied 429', retryAfterMs: 90 * SECOND } as const;
    expect(take(afterSending(next, message, failedResult, look.now), look).nextAt).toBe(look.now + 90 * SECOND);
  });

  it('changes nothing in the record where there is nothing to do', () => {
    const { record } = messagesOver(30, () => [questionAt('oq-1', 0)]);
    expect(take(record, aLook(31, [questionAt('oq-1', 0)])).next).toBe(record);
  });

  it('is forgotten in time', () => {
    const answeredQuestion: Question = {
      ...questionAt('oq-1', 0),
      status: 'resolved',
      outcome: 'answered',
      resolvedAt: at(5),
    };
    const { record } = messagesOver(30, (second) => (second < 5 ? [questionAt('oq-1', 0)] : [answeredQuestion]));
    expect(Object.keys(record.questions)).toEqual(['oq-1']);
    expect(take(record, aLook(3 * 24 * 3600, [])).next.questions).toEqual({});
  });

  it('keeps only the newest of what could not be delivered', () => {
    const deadMessages = Array.from({ length: 150 }, (_, index) => ({
      id: `oq-${index}.opened`,
      channel: 'x',
      kind: 'webhook' as const,
      news: [],
      state: 'dead' as const,
      tries: 7,
      takenAt: at(0),
      endedAt: at(1),
    }));
    const { messages } = take({ ...noDeliveries(), messages: deadMessages }, aLook(2, [])).next;
    expect(messages.map(({ id }) => id)).toEqual(deadMessages.slice(50).map(({ id }) => id));
  });

  it('keeps a question apart in two tables of the same destination', () => {
    const tables = [
      { ...WEBHOOK, gather_seconds: 0 },
      { ...WEBHOOK, gather_seconds: 0, after_minutes: 1 },
    ];
    expect(messagesOver(100, () => [questionAt('oq-1', 0)], tables).sent).toEqual([
      '0 webhook oq-1 opened',
      '60 webhook oq-1 opened',
    ]);
  });
});
