import { describe, expect, it } from 'vitest';
import { failureOf, isWaiting } from './failure.js';

const NOW = '2026-03-02T10:00:00.000Z';

function failure(status: number, message: string, headers: Readonly<Record<string, string>> = {}): unknown {
  const error = Object.assign(new Error(message), { status, response: { headers } });
  return failureOf(error, { what: 'a comment on #1', repo: 'octocat/shop', nowMs: Date.parse(NOW) });
}

describe('a failed request to GitHub', () => {
  it('is a limit, and no refusal of the text, if the text came too quickly', () => {
    const message =
      'Validation Failed: {"resource":"IssueComment","code":"custom","message":"was submitted too quickly"}';
    expect(failure(422, message)).toMatchObject({ scope: 'everything', retryAt: '2026-03-02T10:01:00.000Z' });
    expect(failure(422, 'Validation Failed')).toMatchObject({ scope: 'text' });
  });

  it('waits for an hour at most, whatever the clocks and the headers say', () => {
    const inADay = String(Date.parse('2026-03-03T10:00:00.000Z') / 1000);
    for (const headers of [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inADay }, { 'retry-after': '1e300' }]) {
      expect(failure(403, 'API rate limit exceeded', headers)).toMatchObject({ retryAt: '2026-03-02T11:00:00.000Z' });
    }
  });

  it('does not call a conversation locked from which a person is blocked', () => {
    expect(failure(403, 'User is blocked')).toMatchObject({ message: expect.not.stringContaining('is locked') });
  });

  it('is over if the clock was put back since', () => {
    const trouble = { at: NOW, message: 'GitHub failed.', retryAt: '2026-03-02T10:01:00.000Z' };
    expect(isWaiting(trouble, '2026-03-02T10:00:30.000Z')).toBe(true);
    expect(isWaiting(trouble, '2026-03-02T10:01:00.000Z')).toBe(false);
    expect(isWaiting(trouble, '2025-03-02T10:00:00.000Z')).toBe(false);
  });
});
