import { expect, it } from 'vitest';
import { NO_USAGE } from '../protocol/usage.js';
import { columnsOf } from './columns.js';
import { renderStepUsage } from './usage.js';

it('stands in columns, whatever the steps are called', () => {
  const usage = { ...NO_USAGE, calls: 1, inputTokens: 100 };
  const steps = ['plan', '\u8a2d\u8a08'].map((step) => ({ step, agent: 'architect', turns: 1, workMs: 0, usage }));
  const lines = renderStepUsage({ total: usage, steps, answers: NO_USAGE }, () => '1s');
  expect(new Set(lines.map((line) => columnsOf(line.slice(0, line.indexOf('architect')))))).toEqual(new Set([8]));
});
