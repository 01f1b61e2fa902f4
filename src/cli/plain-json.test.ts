import { expect, it } from 'vitest';
import { plainJson } from './plain-json.js';

it('writes out what a terminal would obey, and leaves the rest as it is', () => {
  const text = 'a\u061cb\u202ec\u2069d\u009be \u{1f600} \ud83d';
  expect(plainJson(text)).toBe('"a\\u061cb\\u202ec\\u2069d\\u009be \u{1f600} \\ud83d"');
  expect(JSON.parse(plainJson(text))).toBe(text);
});
