import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readChoice, signChoice } from './choice-link.js';

const SECRET = 'a secret of this machine';
const DAY_MS = 24 * 60 * 60_000;
const choice = { questionId: 'oq-1', part: 'q1', optionId: 'b' };
const read = (token: string, { questionId = 'oq-1', now = 0, secret = SECRET } = {}) =>
  readChoice(secret, token, { questionId, now });

describe('the option in a link [X-13/10]', () => {
  it('is the one that was signed, for a day, and another link each time', () => {
    const token = signChoice(SECRET, choice, 0);
    expect(read(token, { now: DAY_MS })).toMatchObject(choice);
    expect(() => read(token, { now: DAY_MS + 1 })).toThrow('is older than a day');
    expect(signChoice(SECRET, choice, 0)).not.toBe(token);
  });

  it('is for its question alone, and nothing that others made or changed', () => {
    const token = signChoice(SECRET, choice, 0);
    const [text = '', signature = ''] = token.split('.');
    const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
    const content = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const oddText = Buffer.from('{}').toString('base64url');
    const tokens = [
      ...['', '.', text, `${text}.`, `.${signature}`, `${text}.${signature.slice(1)}`, `${text}A.${signature}`],
      `${forged({ ...content, optionId: 'a' })}.${signature}`,
      `${forged({ ...content, until: DAY_MS * 1000 })}.${signature}`,
      // Signed by us, but for something else.
      `${oddText}.${createHmac('sha256', SECRET).update(`choice ${oddText}`).digest('base64url')}`,
      `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`,
    ];
    for (const one of tokens) expect(() => read(one), one).toThrow('is not one of ours');
    expect(() => read(token, { questionId: 'oq-2' })).toThrow('is not one of ours');
    expect(() => read(token, { secret: 'another' })).toThrow('is not one of ours');
  });
});
