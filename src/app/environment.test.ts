import { describe, expect, it } from 'vitest';
import { wantsColour } from './environment.js';

describe('colour', () => {
  it.each([
    ['on a terminal', true, {}, true],
    ['not in a pipe', false, {}, false],
    ['not in a pipe of a build machine', false, { CI: 'true' }, false],
    ['not on a terminal that knows none', true, { TERM: 'dumb' }, false],
    ['not where NO_COLOR says so', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['in a pipe where FORCE_COLOR says so', false, { FORCE_COLOR: '1' }, true],
    ['not on a terminal where FORCE_COLOR is 0', true, { FORCE_COLOR: '0' }, false],
  ])('is used %s [US-4.2/4]', (_, isTTY, environment, expected) => {
    expect(wantsColour({ isTTY }, environment)).toBe(expected);
  });
});
