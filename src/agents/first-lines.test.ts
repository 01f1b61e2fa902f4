import { expect, it } from 'vitest';
import { firstLines } from './first-lines.js';

it('leaves nothing that steers a terminal or turns the reading direction', () => {
  expect(firstLines('\u001b[31mred\u001b[0m \u061cone\u202etwo\u2066\r\n\ttab\u0007')).toBe('red onetwo\n\ttab');
});

it('keeps the beginning and the end of a long text, where programs say why they fail', () => {
  const lines = firstLines(
    ['begin', ...Array.from({ length: 20_000 }, (_, line) => `noise ${line}`), 'end'].join('\n'),
  ).split('\n');
  expect(lines).toHaveLength(12);
  expect([lines[0], lines[8], lines[11]]).toEqual(['begin', '...', 'end']);
});
