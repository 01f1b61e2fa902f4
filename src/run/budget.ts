import type { JournalEntry, Run } from '../protocol/run.js';
import { usageOfRun } from '../protocol/run-usage.js';
import { tokensOf } from '../protocol/usage.js';
import type { Action, Decision } from './decide.js';
import type { RunLimits } from './run-limits.js';

/*
 * What a run may use of models before a human is asked. A turn that has begun is finished; the next one waits. Each time
 * the human lets the run go on, it may use as much again, beyond what it has used by then. Pure.
 */

type BudgetQuestion = Extract<Action, { type: 'ask-budget' }>;
type Asked = Extract<JournalEntry, { type: 'asked-budget' }>;

/** The same decision, unless the run has used up what it may: then what would use more waits for a human. */
export function withinBudget(
  decision: Decision,
  run: Pick<Run, 'journal' | 'definition'>,
  limits: RunLimits,
): Decision {
  const thriftyActions = decision.actions.filter(({ type }) => type !== 'take-turn' && type !== 'route');
  const isSpending = thriftyActions.length < decision.actions.length;
  const requests = run.journal.filter((entry) => entry.type === 'asked-budget');
  const lastRequest = requests.at(-1);
  const answer = lastRequest === undefined ? undefined : endOf(run, lastRequest.questionId);
  if (lastRequest !== undefined && answer === undefined) {
    return {
      ...decision,
      actions: thriftyActions,
      waitingOn: [...new Set([...decision.waitingOn, lastRequest.questionId])],
    };
  }
  if (answer !== undefined && !isLetOn(answer)) {
    return { actions: [{ type: 'stop', reason: 'The run had used what it may, and was ended.' }], waitingOn: [] };
  }
  const budgetQuestion = isSpending ? overdrawn(run, limits, requests) : undefined;
  return budgetQuestion === undefined ? decision : { ...decision, actions: [...thriftyActions, budgetQuestion] };
}

function overdrawn(
  run: Pick<Run, 'journal' | 'definition'>,
  { maxCost, maxTokens }: RunLimits,
  requests: readonly Asked[],
): BudgetQuestion | undefined {
  if (maxCost === 0 && maxTokens === 0) return undefined;
  const readings = [
    { what: 'cost' as const, max: maxCost },
    { what: 'tokens' as const, max: maxTokens },
  ];
  for (const { what, max } of readings) {
    const used = usedOf(run, what);
    const limit =
      max +
      usedWhenLetOn(
        run,
        requests.findLast((one) => one.what === what),
      );
    if (max > 0 && used >= limit) return { type: 'ask-budget', what, used, limit, times: requests.length };
  }
  return undefined;
}

/** Turns that were under way when the human was asked have used more meanwhile. */
function usedWhenLetOn(run: Pick<Run, 'journal' | 'definition'>, request: Asked | undefined): number {
  if (request === undefined) return 0;
  const isItsEnd = (entry: JournalEntry) => entry.type === 'question-ended' && entry.questionId === request.questionId;
  return usedOf({ ...run, journal: run.journal.slice(0, run.journal.findIndex(isItsEnd)) }, request.what);
}

function usedOf(run: Pick<Run, 'journal' | 'definition'>, what: 'cost' | 'tokens'): number {
  const { total } = usageOfRun(run);
  return what === 'cost' ? total.cost : tokensOf(total);
}

function endOf({ journal }: Pick<Run, 'journal'>, questionId: string) {
  return journal.filter((entry) => entry.type === 'question-ended').find((entry) => entry.questionId === questionId);
}

function isLetOn({ outcome, optionIds }: { readonly outcome: string; readonly optionIds: readonly string[] }): boolean {
  return outcome === 'answered' && !optionIds.includes('stop');
}
