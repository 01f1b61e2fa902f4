import { expect, it } from 'vitest';
import { fitInto, shorten } from './shorten.js';

it('leaves a text that is short enough as it is', () => {
  expect(shorten('abc', 3)).toBe('abc');
  expect(fitInto('abc', 3)).toBe('abc');
  expect(fitInto('\u{1f600}'.repeat(3), 3)).toBe('\u{1f600}'.repeat(3));
});

it('adds three dots to the beginning of a longer one, and never half a character', () => {
  expect(shorten('abcdef', 3)).toBe('abc...');
  expect(shorten('ab\u{1f600}', 3)).toBe('ab...');
});

it('counts the three dots and whole characters where a limit must hold', () => {
  expect(fitInto('abcdef', 5)).toBe('ab...');
  expect(fitInto('\u{1f600}'.repeat(6), 5)).toBe(`${'\u{1f600}'.repeat(2)}...`);
  expect(fitInto('abcdef', 2)).toBe('...');
});
