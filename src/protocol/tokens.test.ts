import { describe, expect, it } from 'vitest';
import { estimateTokens } from './tokens.js';

describe('tokens as they are estimated', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['four letters make a token', 7],
    ['\u6211\u4eec\u51b3\u5b9a', 4],
  ])('of %j are %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
