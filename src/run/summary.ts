import type { RunSummary } from '../protocol/events.js';
import type { JournalEntry, Run } from '../protocol/run.js';
import { usageOfRun } from '../protocol/run-usage.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { actsOf } from './history.js';
import { clarificationKey, isHumanFirst, progressOf } from './step-state.js';

/** The figures of a run so far. Pure. */
export function summaryOf(run: Pick<Run, 'journal' | 'definition'>, now: string): RunSummary {
  const acts = actsOf(run).filter(({ refused }) => refused === undefined);
  const settledEscalations = run.journal
    .filter((entry) => entry.type === 'clarification-settled')
    .filter((entry) => entry.questionId !== undefined && !isHumanFirst(entry));
  const unroutedActs = acts.filter(({ clarificationId, questionId }) => clarificationId !== undefined && questionId);
  return {
    iterations: run.journal.filter(({ type }) => type === 'turn-ended' || type === 'turn-failed').length,
    tools: acts.length,
    rounds: new Set(progressOf(run).asked.map(clarificationKey)).size,
    escalations: new Set([...settledEscalations, ...unroutedActs].map(({ questionId }) => questionId)).size,
    artifacts: [...new Set(acts.flatMap(({ path }) => path ?? []))],
    durationMs: durationOf(run.journal, now),
    usage: usageOfRun(run),
  };
}

/** The time without that spent waiting for people. */
function durationOf(journal: readonly JournalEntry[], now: string): number {
  let total = 0;
  let since = journal[0]?.at;
  for (const { type, at } of journal) {
    if (type === 'resume') since ??= at;
    if (type !== 'pause' || since === undefined) continue;
    total += toEpochMs(at) - toEpochMs(since);
    since = undefined;
  }
  return Math.max(0, since === undefined ? total : total + toEpochMs(now) - toEpochMs(since));
}
