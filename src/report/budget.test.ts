import { describe, expect, it } from 'vitest';
import { aWorkBrief } from '../../test/builders/brief.js';
import { aSession, aTurn } from '../../test/builders/session.js';
import type { ContextPart } from '../protocol/context-budget.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { budgetOf, contextBudget } from './budget.js';

const words = (tokens: number) => 'abc '.repeat(tokens);
const partsOf = (parts: readonly ContextPart[]) =>
  Object.fromEntries(parts.map(({ part, tokens, items }) => [part, [tokens, items]]));

describe('the budget of a session', () => {
  it('counts the last brief and all that the agent said', () => {
    const context = [
      { part: 'artifacts', tokens: 700, items: 2 },
      { part: 'memory', tokens: 0, items: 0 },
    ] as const;
    const turns = [
      aTurn({ promptTokens: 99_999, reply: { text: words(100) } }),
      aTurn({ turn: 2, context, reply: { text: words(100) } }),
    ];
    const budget = budgetOf(aSession({ turns }), 2000);
    expect(partsOf(budget.parts)).toEqual({ artifacts: [700, 2], memory: [0, 0], conversation: [206, 2] });
    expect(budget).toMatchObject({ agent: 'engineer', usedTokens: 906, share: 0.453, band: 'ok', isEnded: false });
  });

  it('is taken from the brief where it was not measured, and from the prompt where there is none', () => {
    const { prompt: _, ...brief } = aWorkBrief({ artifacts: [{ path: 'a.md', content: words(10) }] });
    const budget = budgetOf(aSession({ turns: [aTurn({ brief, promptTokens: 5000 })] }), 10_000);
    expect(partsOf(budget.parts).artifacts).toEqual([10, 1]);
    expect(budget.usedTokens).toBeGreaterThanOrEqual(5000);
    const bareBudget = budgetOf(aSession({ turns: [aTurn({ promptTokens: 5000, reply: {} })] }), 10_000);
    expect(partsOf(bareBudget.parts)).toEqual({ other: [5000, 1], conversation: [1, 1] });
    expect(budgetOf(aSession({ turns: [] }), 10_000)).toMatchObject({ usedTokens: 0, band: 'ok' });
  });
});

describe('the budgets of agents', () => {
  it('are those of sessions under way, else of the last one, the fullest first', async () => {
    const store = openInMemoryStore();
    const add = (step: string, minute: number, fields: object = {}) => {
      const id = `run-42-1a2b3c4d.${step}.1`;
      const startedAt = `2026-02-26T10:0${minute}:00.000Z`;
      const session = aSession({ id, step, startedAt, turns: [aTurn({ promptTokens: 100 * minute })], ...fields });
      return store.sessions.update(id, () => ({ next: session, result: undefined }));
    };
    await add('first', 1, { endedAt: '2026-02-26T10:01:00.000Z' });
    await add('second', 2);
    await add('third', 3, { issueNumber: 43 });
    await add('design', 4, { agent: 'architect', endedAt: '2026-02-26T10:05:00.000Z' });
    await add('redesign', 5, { agent: 'architect', endedAt: '2026-02-26T10:06:00.000Z' });
    const config = { agents: { architect: { runner: 'human', timeout_seconds: 600, context_tokens: 1000 } } } as const;
    const { budgets } = await contextBudget({ store, config });
    expect(budgets.map(({ step, contextTokens }) => [step, contextTokens])).toEqual([
      ['redesign', 1000],
      ['third', 200_000],
      ['second', 200_000],
    ]);
    const { budgets: matchingBudgets } = await contextBudget({ store, config }, { agent: 'engineer', issueNumber: 42 });
    expect(matchingBudgets.map(({ step }) => step)).toEqual(['second']);
  });
});
