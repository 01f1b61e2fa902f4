import type { RunUsage } from '../protocol/run-usage.js';
import { tokensOf, type Usage } from '../protocol/usage.js';
import { columnsOf, padTo } from './columns.js';
import { plainLine } from './plain-text.js';

/** `12,345 tokens, 0.0421`; the cost of models without a price is unknown, never guessed. */
export function usageText(usage: Usage): string {
  const tokens = `${tokensOf(usage).toLocaleString('en-US')} tokens`;
  if (usage.unpricedTokens === 0) return `${tokens}, cost ${costText(usage.cost)}`;
  const costWords = usage.cost > 0 ? `cost ${costText(usage.cost)} and more` : 'cost unknown';
  return `${tokens}, ${costWords} (no price for all models)`;
}

export function costText(cost: number): string {
  return String(Math.round(cost * 10_000) / 10_000);
}

/** What each step took of models, one line each; nothing if no model was called. */
export function renderStepUsage(
  { total, steps, answers }: RunUsage,
  seconds: (ms: number) => string,
): readonly string[] {
  if (total.calls === 0) return [];
  const rows = steps.map(({ step, agent, turns, workMs, usage }) => [
    plainLine(step),
    plainLine(agent),
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    seconds(workMs),
    usage.calls === 0 ? '' : usageText(usage),
  ]);
  const answersRow = answers.calls === 0 ? [] : [['answers', '', '', seconds(answers.modelMs), usageText(answers)]];
  const all = [...rows, ...answersRow];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => columnsOf(row[column] ?? ''))));
  return all.map((row) => `  ${row.map((cell, column) => padTo(cell, widths[column] ?? 0)).join('  ')}`.trimEnd());
}
