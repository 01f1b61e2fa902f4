import { describe, expect, it } from 'vitest';
import { aClarification, aLedger } from '../../test/builders/clarification.js';
import { refusalOf } from '../../test/builders/refusal.js';
import { ClarificationLedger } from './clarification.js';
import { parseWith, requireText } from './parse.js';

describe('parseWith', () => {
  it('names the path and what is allowed there', () => {
    const clarifications = [{ ...aClarification(), status: 'lost', round: 'one', staleAfter: 'soon' }];
    const refusal = refusalOf(() =>
      parseWith(ClarificationLedger, { issueNumber: -1, clarifications }, 'issue-42.json'),
    );
    expect(refusal.code).toBe('INVALID_INPUT');
    expect(refusal.message).toBe(
      'issue-42.json is not valid: issueNumber must be at least 0; ' +
        'clarifications[0].status must be one of pending, answered, resolved, stale, escalated, abandoned; ' +
        'clarifications[0].round must be a number; ' +
        'clarifications[0].staleAfter must be an ISO 8601 time such as 2026-02-26T10:00:00Z.',
    );
  });

  it('says what our own checks say', () => {
    const refusal = refusalOf(() =>
      parseWith(ClarificationLedger, aLedger({ clarifications: [aClarification({ id: 'nonsense' })] }), 'x'),
    );
    expect(refusal.message).toContain('clarifications[0].id must be a clarification id such as CLR-42-001');
  });

  it('stays short however much is wrong', () => {
    const clarifications = Array.from({ length: 1000 }, () => 7);
    const refusal = refusalOf(() => parseWith(ClarificationLedger, { issueNumber: 42, clarifications }, 'x'));
    expect(refusal.message).toContain('and 995 more');
    expect(refusal.message.length).toBeLessThan(500);
  });

  it('speaks of the value itself when that is wrong', () => {
    for (const value of [null, undefined, 7, 'text', []]) {
      expect(refusalOf(() => parseWith(ClarificationLedger, value, 'x')).message).toContain(
        'the value must be an object',
      );
    }
  });
});

describe('requireText', () => {
  it('takes up to the limit, counted in characters', () => {
    expect(requireText('\u{1f600}'.repeat(200), 'topic', 200)).toHaveLength(400);
    expect(refusalOf(() => requireText('x'.repeat(201), 'topic', 200)).message).toBe(
      'The topic has 201 characters. Allowed: up to 200.',
    );
  });

  it('refuses blank text, and text of which nothing is seen', () => {
    for (const text of ['', '  ', '\n\t', '\u200b\u2060 \ufeff', '\u202e\u00ad'])
      expect(refusalOf(() => requireText(text, 'topic', 200)).code).toBe('INVALID_INPUT');
  });
});
