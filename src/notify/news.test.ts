import { describe, expect, it } from 'vitest';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { NotifyTable } from '../protocol/notify.js';
import type { Question } from '../protocol/question.js';
import { type Channel, channelsOf } from './channel.js';
import { isCurrent, newsFor } from './news.js';

const at = (time: string): number => Date.parse(`2026-02-26T${time}Z`);
const aChannel = (fields: object = {}): Channel => {
  const [channel] = channelsOf([NotifyTable.parse({ channel: 'desktop', ...fields })]);
  if (channel === undefined) throw new Error('there is one');
  return channel;
};
const standing = { told: [] as readonly string[], since: at('09:00:00'), now: at('10:10:00') };
const times = (question: Question, channel: Channel, more: Partial<typeof standing> = {}) =>
  newsFor(question, channel, { ...standing, ...more }).map(
    ({ event, dueAt }) => `${event} ${new Date(dueAt).toISOString().slice(11, 19)}`,
  );

describe('the news of a question', () => {
  it('is that it opened, and that its deadline is near [X-13/1]', () => {
    expect(times(anExpiringQuestion(), aChannel())).toEqual(['opened 10:00:00', 'deadline 10:03:00']);
    expect(times(aQuestion(), aChannel())).toEqual(['opened 10:00:00']);
    expect(times(anExpiringQuestion(), aChannel({ deadline_minutes: 1 }))).toContain('deadline 10:04:00');
  });

  it('is told once', () => {
    expect(times(anExpiringQuestion(), aChannel(), { told: ['opened', 'deadline'] })).toEqual([]);
  });

  it('is only what the channel wants', () => {
    expect(times(anExpiringQuestion(), aChannel({ when: ['deadline'] }))).toEqual(['deadline 10:03:00']);
    expect(times(anExpiringQuestion(), aChannel({ when: [] }))).toEqual([]);
  });

  it('waits for its rung of the ladder [X-13/2]', () => {
    expect(times(aQuestion(), aChannel({ after_minutes: 10 }))).toEqual(['opened 10:10:00']);
    // The fallback is earlier: there is nothing to tell any more.
    expect(times(anExpiringQuestion(), aChannel({ after_minutes: 10 }))).toEqual([]);
  });

  it('is kept from later rungs once a person has answered [X-13/2]', () => {
    const answeredQuestion = aQuestion({ status: 'resolved', outcome: 'answered', resolvedAt: '2026-02-26T10:05:00Z' });
    expect(times(answeredQuestion, aChannel({ after_minutes: 10 }))).toEqual([]);
    expect(times(answeredQuestion, aChannel({ after_minutes: 10 }), { told: ['opened'] })).toEqual([
      'answered 10:05:00',
    ]);
    expect(times(answeredQuestion, aChannel())).toEqual(['answered 10:05:00']);
  });

  it('is how it ended, and each late answer', () => {
    const fallenBack = anExpiringQuestion({
      status: 'resolved',
      outcome: 'fallback_applied',
      resolvedAt: '2026-02-26T10:05:00Z',
      lateResponses: [
        {
          responses: [{ questionId: 'q1', answer: 'PostgreSQL' }],
          answeredBy: { principal: 'ann', channel: 'web' },
          at: '2026-02-26T10:08:00Z',
        },
      ],
    });
    expect(times(fallenBack, aChannel())).toEqual(['fallback 10:05:00', 'late 10:08:00']);
    for (const outcome of ['declined', 'dismissed'] as const) {
      expect(times({ ...fallenBack, lateResponses: [], outcome }, aChannel())).toEqual(['answered 10:05:00']);
    }
    for (const outcome of ['superseded', 'unreachable'] as const) {
      expect(times({ ...fallenBack, lateResponses: [], outcome }, aChannel())).toEqual([]);
    }
  });

  it('is not what ended before the channel was used, or more than a day ago', () => {
    const answeredQuestion = aQuestion({ status: 'resolved', outcome: 'answered', resolvedAt: '2026-02-26T10:05:00Z' });
    expect(times(answeredQuestion, aChannel(), { since: at('10:06:00') })).toEqual([]);
    expect(times(answeredQuestion, aChannel(), { now: at('10:05:00') + 25 * 3_600_000 })).toEqual([]);
  });

  it.each([
    [{ kinds: ['escalation'] }, false],
    [{ kinds: ['open_question'] }, true],
    [{ consequence: 'irreversible' }, false],
    [{ consequence: 'reversible' }, true],
    [{ blocking: false }, false],
    [{ blocking: true }, true],
    [{ agents: ['engineer'] }, false],
    [{ agents: ['coder', 'engineer'] }, true],
    [{ within_minutes: 5 }, false],
  ])('is filtered by %j: %s', (filter, isMeant) => {
    expect(times(aQuestion(), aChannel(filter)).length > 0).toBe(isMeant);
  });

  it('can wait until the deadline is near enough', () => {
    expect(times(anExpiringQuestion(), aChannel({ within_minutes: 1 }))).toEqual([
      'opened 10:04:00',
      'deadline 10:04:00',
    ]);
  });

  it('waits for the end of quiet hours, if it still matters then [X-13/3]', () => {
    const quiet = { quiet: '09:30-11:15', time_zone: 'UTC' };
    expect(times(aQuestion(), aChannel(quiet))).toEqual(['opened 11:15:00']);
    expect(times(anExpiringQuestion(), aChannel(quiet))).toEqual([]);
  });

  it('that no process told in time is not told in quiet hours either [X-13/3]', () => {
    const quiet = aChannel({ quiet: '10:05-11:15', time_zone: 'UTC' });
    expect(times(aQuestion(), quiet, { now: at('10:04:00') })).toEqual(['opened 10:00:00']);
    expect(times(aQuestion(), quiet, { now: at('10:10:00') })).toEqual(['opened 11:15:00']);
    expect(times(aQuestion(), quiet, { now: at('11:15:00') })).toEqual(['opened 10:00:00']);
  });

  it('rests while a person snoozes it, and comes once more afterwards [X-13/5]', () => {
    const snoozedQuestion = aQuestion({ snoozed: { until: '2026-02-26T10:30:00.000Z', principal: 'ann' } });
    expect(times(snoozedQuestion, aChannel())).toEqual(['opened 10:30:00']);
    const [again, ...others] = newsFor(snoozedQuestion, aChannel(), { ...standing, told: ['opened'] });
    expect(again).toMatchObject({ event: 'opened', key: 'opened 2026-02-26T10:30:00.000Z' });
    expect(others).toEqual([]);
    expect(times(snoozedQuestion, aChannel(), { told: ['opened', again?.key ?? ''] })).toEqual([]);
  });

  it.each(['opened', 'deadline'] as const)('that failed is not tried again while a person snoozes it: %s', (event) => {
    const snoozedQuestion = anExpiringQuestion({ snoozed: { until: '2026-02-26T10:04:00.000Z', principal: 'ann' } });
    const news = { questionId: snoozedQuestion.id, event, key: event };
    expect(isCurrent(news, snoozedQuestion, at('10:03:00'))).toBe(false);
    expect(isCurrent(news, snoozedQuestion, at('10:04:00'))).toBe(true);
  });
});
