import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../protocol/run.js';
import { NO_USAGE } from '../protocol/usage.js';
import { withinBudget } from './budget.js';
import type { Decision } from './decide.js';

const at = '2026-11-17T00:00:00.000Z';
const turn: Decision = {
  actions: [
    { type: 'take-turn', step: 'implement', attempt: 1, turn: 2, isRetry: false },
    { type: 'begin-step', step: 'other', attempt: 1 },
  ],
  waitingOn: [],
};
const ended = (tokens: number, cost: number): JournalEntry => ({
  type: 'turn-ended',
  at,
  step: 'implement',
  turn: 1,
  status: 'continue',
  acts: [],
  usage: { ...NO_USAGE, inputTokens: tokens, calls: 1, cost },
});
const answered = (questionId: string, option: string): JournalEntry => ({
  type: 'question-ended',
  at,
  questionId,
  outcome: 'answered',
  optionIds: [option],
});
const asked = (questionId: string): JournalEntry => ({
  type: 'asked-budget',
  at,
  what: 'tokens',
  used: 100,
  limit: 100,
  questionId,
});
const limits = { maxCost: 0, maxTokens: 100 };

describe('the budget of a run', () => {
  it('changes nothing below the limits, or without any', () => {
    expect(withinBudget(turn, { journal: [ended(99, 5)] }, limits)).toBe(turn);
    expect(withinBudget(turn, { journal: [ended(1e9, 1e9)] }, { maxCost: 0, maxTokens: 0 })).toBe(turn);
  });

  it('asks a human before the next turn, and lets what uses no model go on', () => {
    const { actions } = withinBudget(turn, { journal: [ended(100, 0)] }, limits);
    expect(actions).toEqual([
      { type: 'begin-step', step: 'other', attempt: 1 },
      { type: 'ask-budget', what: 'tokens', used: 100, limit: 100, times: 0 },
    ]);
    const costs = withinBudget(turn, { journal: [ended(1, 2.5)] }, { maxCost: 2, maxTokens: 0 });
    expect(costs.actions.at(-1)).toMatchObject({ type: 'ask-budget', what: 'cost', used: 2.5, limit: 2 });
  });

  it('waits for the answer', () => {
    const decision = withinBudget(turn, { journal: [ended(100, 0), asked('oq-1')] }, limits);
    expect(decision.waitingOn).toEqual(['oq-1']);
    expect(decision.actions).toEqual([{ type: 'begin-step', step: 'other', attempt: 1 }]);
  });

  it('may use as much again each time a human says so', () => {
    const journal = [ended(100, 0), asked('oq-1'), answered('oq-1', 'more')];
    expect(withinBudget(turn, { journal }, limits)).toBe(turn);
    const { actions } = withinBudget(turn, { journal: [...journal, ended(100, 0)] }, limits);
    expect(actions.at(-1)).toMatchObject({ type: 'ask-budget', limit: 200, times: 1 });
  });

  it('counts from the answer, because turns that were under way have used more meanwhile', () => {
    const journal = [ended(100, 0), asked('oq-1'), ended(150, 0), answered('oq-1', 'more')];
    expect(withinBudget(turn, { journal }, limits)).toBe(turn);
    const { actions } = withinBudget(turn, { journal: [...journal, ended(100, 0)] }, limits);
    expect(actions.at(-1)).toMatchObject({ type: 'ask-budget', used: 350, limit: 350 });
  });

  it('is one for tokens and one for cost: what a human lets on of one says nothing of the other', () => {
    const journal = [ended(100, 1), asked('oq-1'), answered('oq-1', 'more'), ended(1, 1)];
    const { actions } = withinBudget(turn, { journal }, { maxCost: 2, maxTokens: 100 });
    expect(actions.at(-1)).toMatchObject({ type: 'ask-budget', what: 'cost', used: 2, limit: 2, times: 1 });
  });

  it('stops when the human says so, or does not want to answer', () => {
    const journal = [ended(100, 0), asked('oq-1'), answered('oq-1', 'stop')];
    expect(withinBudget(turn, { journal }, limits).actions).toEqual([
      { type: 'stop', reason: expect.stringContaining('used what it may') },
    ]);
    const declined: JournalEntry = {
      type: 'question-ended',
      at,
      questionId: 'oq-1',
      outcome: 'declined',
      optionIds: [],
    };
    expect(withinBudget(turn, { journal: [asked('oq-1'), declined] }, limits).actions[0]?.type).toBe('stop');
  });
});
