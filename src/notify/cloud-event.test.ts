import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import { cloudEventOf } from './cloud-event.js';
import { letterOf } from './letter.js';

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
