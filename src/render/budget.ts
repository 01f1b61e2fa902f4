import type { ContextBand, ContextBudget, ContextPart } from '../protocol/context-budget.js';
import { meter } from './bar.js';
import { columnsOf } from './columns.js';
import { type Paint, UNPAINTED, under } from './conversation.js';
import { plainLine } from './plain-text.js';
import { wrapLine } from './wrap-line.js';

export interface BudgetView {
  readonly width: number;
  readonly paint?: Paint;
}

const BAND_TEXT: Readonly<Record<ContextBand, string>> = {
  ok: 'ok',
  watch: 'watch it',
  'compact-soon': 'compact soon',
  critical: 'critical',
};
const METER = 20;
const MARGIN = '    ';

/** For each window: how full it is, and below it what fills it, largest part first. */
export function renderBudgets(budgets: readonly ContextBudget[], { width, paint = UNPAINTED }: BudgetView): string {
  return budgets.map((budget) => renderBudget(budget, width, paint)).join('\n');
}

function renderBudget(budget: ContextBudget, width: number, paint: Paint): string {
  const { agent, issueNumber, step, share, band, usedTokens, contextTokens, isEnded } = budget;
  const tone = { ok: paint.good, watch: String, 'compact-soon': paint.alarming, critical: paint.alarming }[band];
  const stepText = `#${issueNumber} ${plainLine(step)}${isEnded ? ', ended' : ''}`;
  const percent = `${Math.round(share * 100)} %`;
  const usedText = `${counted(usedTokens)} of ${counted(contextTokens)} tokens`;
  const line = `${meter(share, METER)}  ${percent}  ${usedText}`;
  const bandText = tone(BAND_TEXT[band]);
  const fits = columnsOf(`  ${line}  ${BAND_TEXT[band]}`) <= width;
  const parts = budget.parts.toSorted((a, b) => b.tokens - a.tokens).map(partText);
  return [
    under({ label: `${plainLine(agent)}  `, paint: paint.name, tone: paint.quiet }, stepText, width),
    ...(fits ? [`  ${line}  ${bandText}`] : [...wrapLine(line, width - 2), bandText].map((text) => `  ${text}`)),
    ...wrapLine(parts.join(', '), width - MARGIN.length).map((text) => `${MARGIN}${text}`),
  ].join('\n');
}

/** `memory 12,000 (14 items)` */
function partText({ part, tokens, items }: ContextPart): string {
  const itemsText = part === 'issue' || part === 'other' ? '' : ` (${items} ${items === 1 ? 'item' : 'items'})`;
  return `${part} ${counted(tokens)}${itemsText}`;
}

function counted(tokens: number): string {
  return String(tokens).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
