import { describe, expect, it } from 'vitest';
import { ConfigFile } from './config.js';
import { parseWith } from './parse.js';
import { usageOfRun } from './run-usage.js';
import { beyond, NO_USAGE, priced, sumOf } from './usage.js';

const used = (inputTokens: number, cost = 0) => ({ ...NO_USAGE, inputTokens, calls: 1, cost });

describe('what models use', () => {
  it('adds up, and tells what came after an earlier reading', () => {
    expect(sumOf(used(1, 0.1), undefined, used(2, 0.2))).toEqual({ ...NO_USAGE, inputTokens: 3, calls: 2, cost: 0.3 });
    expect(beyond(used(5, 0.3), used(2, 0.1))).toEqual({ ...NO_USAGE, inputTokens: 3, cost: 0.2 });
  });

  it('costs what the configuration says', () => {
    const tokens = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 };
    expect(priced(tokens, { input: 2, output: 10 })).toBe(3);
    expect(priced(tokens, { input: 2, output: 10, cached: 0.5 })).toBeCloseTo(1.2 + 0.2 + 1, 9);
  });

  it('is counted by step, and a round that was settled twice once', () => {
    const at = '2026-11-17T00:00:00.000Z';
    const settled = { type: 'clarification-settled' as const, at, clarificationId: 'CLR-1-001', round: 1 };
    const { total, steps, answers } = usageOfRun({
      journal: [
        { type: 'turn-failed', at, step: 'a', turn: 1, error: 'x', usage: used(1), workMs: 10 },
        { type: 'turn-ended', at, step: 'a', turn: 2, status: 'done', acts: [], usage: used(2), workMs: 20 },
        { ...settled, status: 'pending', usage: used(4) },
        { ...settled, status: 'answered', usage: used(8) },
      ],
    });
    expect(total.inputTokens).toBe(11);
    expect(answers.inputTokens).toBe(8);
    expect(steps).toMatchObject([{ step: 'a', turns: 2, workMs: 30, usage: { inputTokens: 3 } }]);
  });

  it('has no limit of cost while a price is missing', () => {
    const agents = { engineer: { runner: 'model', model: 'openai/gpt-5' } };
    const prices = { 'openai/gpt-5': { input: 1, output: 2 } };
    expect(() => parseWith(ConfigFile, { agents, run: { max_cost: 5 } }, 'config')).toThrow(/price of openai\/gpt-5/);
    expect(parseWith(ConfigFile, { agents, prices, run: { max_cost: 5 } }, 'config').run.max_cost).toBe(5);
  });
});
