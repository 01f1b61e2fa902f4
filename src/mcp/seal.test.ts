import { describe, expect, it } from 'vitest';
import { fingerprint, seal, unseal } from './seal.js';

const STATE = {
  questionId: 'oq-1a2b3c4d',
  revision: 3,
  principal: 'ada',
  tool: 'ask_human',
  args: fingerprint({ questions: ['Which region?'], issue: 1 }),
  shownAt: 1_000_000,
};
const HERE = { principal: STATE.principal, tool: STATE.tool, args: STATE.args, now: STATE.shownAt + 5_000 };
const SECRET = 'a secret of this folder';

describe('what a client keeps for us', () => {
  it('comes back whole, and cannot be read [X-6/5]', () => {
    const sealedText = seal(SECRET, STATE);
    expect(unseal(SECRET, sealedText, HERE)).toEqual({ ...STATE, nonce: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(Buffer.from(sealedText.slice(3), 'base64url').toString('latin1')).not.toContain('oq-');
    expect(seal(SECRET, STATE)).not.toBe(sealedText);
  });

  it.each([
    ['another person', { ...HERE, principal: 'eve' }],
    ['another tool', { ...HERE, tool: 'request_clarification' }],
    ['other arguments', { ...HERE, args: fingerprint({ questions: ['Which region?'], issue: 2 }) }],
    ['a day later', { ...HERE, now: STATE.shownAt + 25 * 60 * 60 * 1000 }],
  ])('is worth nothing for %s [X-6/5]', (_, bound) => {
    const sealedText = seal(SECRET, STATE);
    expect(() => unseal(SECRET, sealedText, bound)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
  });

  it('is refused if any part of it was changed, or another folder sealed it [X-6/5]', () => {
    const sealedText = seal(SECRET, STATE);
    const bytes = Buffer.from(sealedText.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changedBytes = Buffer.from(bytes);
      changedBytes[index] = (changedBytes[index] ?? 0) ^ 1;
      expect(() => unseal(SECRET, `v1.${changedBytes.toString('base64url')}`, HERE)).toThrow(
        'does not belong to this call',
      );
    }
    for (const other of [
      '',
      'v1.',
      'v1.AAAA',
      'v2.AAAA',
      sealedText.slice(0, -4),
      `${sealedText}AAAA`,
      'x'.repeat(100_000),
    ]) {
      expect(() => unseal(SECRET, other, HERE)).toThrow('does not belong to this call');
    }
    expect(() => unseal('another secret', sealedText, HERE)).toThrow('does not belong to this call');
  });

  it('knows the same arguments in any order, and others apart', () => {
    expect(fingerprint({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(fingerprint({ b: [{ d: 3, c: 2 }], a: 1 }));
    expect(fingerprint({ a: [1, 2] })).not.toBe(fingerprint({ a: [2, 1] }));
    expect(fingerprint({ a: { b: 1 } })).not.toBe(fingerprint({ a: [['b', 1]] }));
  });
});
