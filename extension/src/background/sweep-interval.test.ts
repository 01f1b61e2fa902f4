import { expect, it } from 'vitest';
import { sweepIntervalMs } from './sweep-interval.js';

it('is a minute at least and a day at most, whatever the settings hold', () => {
  const minutes = (value: unknown) => sweepIntervalMs(value) / 60_000;
  expect([7, 0, -1, 0.001, 1e9].map(minutes)).toEqual([7, 1, 1, 1, 1440]);
  expect(['7', null, undefined, Number.NaN, {}].map(minutes)).toEqual([5, 5, 5, 5, 5]);
});
