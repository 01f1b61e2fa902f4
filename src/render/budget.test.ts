import { describe, expect, it } from 'vitest';
import type { ContextBudget } from '../protocol/context-budget.js';
import { renderBudgets } from './budget.js';

const budget: ContextBudget = {
  agent: 'engineer',
  issueNumber: 42,
  sessionId: 'run-42-1a2b3c4d.implement.1',
  step: 'implement',
  isEnded: false,
  contextTokens: 200_000,
  usedTokens: 150_000,
  share: 0.75,
  band: 'compact-soon',
  parts: [
    { part: 'issue', tokens: 1200, items: 1 },
    { part: 'artifacts', tokens: 128_800, items: 3 },
    { part: 'memory', tokens: 12_000, items: 14 },
    { part: 'conversation', tokens: 8000, items: 1 },
  ],
};

describe('the report of a context budget', () => {
  it('shows how full a window is and what fills it, memory among it', () => {
    expect(renderBudgets([budget], { width: 100 })).toBe(
      [
        'engineer  #42 implement',
        '  [###############-----]  75 %  150,000 of 200,000 tokens  compact soon',
        '    artifacts 128,800 (3 items), memory 12,000 (14 items), conversation 8,000 (1 item), issue 1,200',
      ].join('\n'),
    );
  });

  it('does not scroll sideways in a narrow window, nor overflow its frame', () => {
    const text = renderBudgets([{ ...budget, share: 1.4, isEnded: true }], { width: 40 });
    expect(text).toContain('[####################]  140 %');
    expect(text).toContain('implement, ended');
    for (const line of text.split('\n').slice(2)) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('lets no escape of a step reach the terminal', () => {
    expect(renderBudgets([{ ...budget, step: 'a\u001b[2Jb' }], { width: 80 })).toContain('#42 ab');
  });
});
