import { describe, expect, it } from 'vitest';
import { isOtherRequest, issueIn, typedCommand, wantsToGoOn } from './request.js';

describe('a message in plain words', () => {
  it('names its issue', () => {
    for (const text of [
      'Implement the health endpoint for issue #42',
      '#42',
      '42',
      'run 42',
      'fix bug 42, please',
      'resume #42.',
    ]) {
      expect(issueIn(text), text).toBe(42);
    }
    for (const text of ['', 'keep logs for 42 days', 'see PR-42', 'colour &#42;', 'a/#42', 'what is ready?']) {
      expect(issueIn(text), text).toBeUndefined();
    }
  });

  it('may hold a command that was typed once more', () => {
    expect(typedCommand('@agentx /clarify #42', ['clarify'])).toEqual({ command: 'clarify', prompt: '#42' });
    expect(typedCommand('@agentx run #42', ['clarify'])).toEqual({ prompt: 'run #42' });
    expect(typedCommand('/etc/hosts is wrong', ['clarify'])).toEqual({ prompt: '/etc/hosts is wrong' });
  });

  it('may only want to go on', () => {
    for (const text of ['', 'resume', 'Continue.', 'go on', 'please resume', 'run it'])
      expect(wantsToGoOn(text), text).toBe(true);
    for (const text of ['a', 'go with b', 'resume the transfer later']) expect(wantsToGoOn(text), text).toBe(false);
  });

  it('below a question is its answer, unless it wants another issue carried out', () => {
    expect(isOtherRequest('Implement issue #43', 42)).toBe(true);
    expect(isOtherRequest('run #43', 42)).toBe(true);
    expect(isOtherRequest('Implement it as in issue #42', 42)).toBe(false);
    expect(isOtherRequest('As in #43', 42)).toBe(false);
  });
});
