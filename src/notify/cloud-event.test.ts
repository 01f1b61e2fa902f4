import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import { cloudEventOf } from './cloud-event.js';
import { letterOf } from './letter.js';
import { mailOf } from './mail.js';

const context = { project: 'shop & co', now: '2026-02-26T10:00:00.000Z', sign: () => 'signed' };
const itemOf = (id: string) => ({
  news: { questionId: id, event: 'opened', key: 'opened' } as const,
  question: aQuestion({ id }),
});

describe('a CloudEvent [X-13/7]', () => {
  it('has the attributes of the specification, each in its form', () => {
    const event = cloudEventOf(letterOf([itemOf('oq-1')], context));
    expect(event).toMatchObject({ specversion: '1.0', id: 'oq-1.opened', type: 'agentx.question.opened' });
    expect(event).toMatchObject({ subject: 'oq-1', time: context.now, datacontenttype: 'application/json' });
    // A URI reference, and names of lower-case letters and digits.
    expect(new URL(event.source, 'https://example.com').pathname).toBe('/agentx/shop%20%26%20co');
    for (const name of Object.keys(event)) expect(name).toMatch(/^[a-z0-9]{1,20}$/);
  });

  it('keeps the id of a digest at every try, however many of its questions still wait', () => {
    const digest = letterOf([itemOf('oq-1'), itemOf('oq-2')], context);
    const first = cloudEventOf(digest);
    const again = cloudEventOf({ ...letterOf([itemOf('oq-2')], context), id: digest.id });
    expect(again.id).toBe(first.id);
    expect(again).toMatchObject({ type: 'agentx.question.digest', data: { events: [{ id: 'oq-2.opened' }] } });
  });
});

describe('a message', () => {
  it('has no secret in it, whoever wrote it, and nothing that is marked as private', () => {
    const key = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
    const openQuestion = aQuestion({
      id: 'oq-1',
      questions: [
        {
          id: 'q1',
          text: `Which key? I found ${key}. <private>Ada is ill.</private>`,
          options: [{ id: 'a', label: `Use ${token}`, description: `or ${key}`, cons: [token] }],
        },
      ],
    });
    const answeredQuestion = aQuestion({
      id: 'oq-2',
      status: 'resolved',
      outcome: 'answered',
      resolvedAt: context.now,
      responses: [{ questionId: 'q1', answer: `Take ${key}` }],
    });
    const letter = letterOf(
      [
        { news: { questionId: 'oq-1', event: 'opened', key: 'opened' }, question: openQuestion },
        { news: { questionId: 'oq-2', event: 'answered', key: 'answered' }, question: answeredQuestion },
      ],
      { ...context, page: 'http://127.0.0.1:4820' },
    );
    for (const message of [letter, cloudEventOf(letter), mailOf(letter)]) {
      const text = JSON.stringify(message);
      expect(text).toContain('[redacted]');
      for (const secret of [key, token, 'Ada is ill']) expect(text).not.toContain(secret);
    }
    expect(letter.items.map(({ choices }) => choices.map(({ optionId }) => optionId))).toEqual([['a'], []]);
  });
});
