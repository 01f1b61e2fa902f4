import type { Run } from './run.js';
import { NO_USAGE, sumOf, type Usage } from './usage.js';

/** What one step took; `usage` is all zero for agents that are no models. */
export interface StepUsage {
  readonly step: string;
  readonly agent: string;
  readonly turns: number;
  readonly workMs: number;
  readonly usage: Usage;
}

export interface RunUsage {
  readonly total: Usage;
  readonly steps: readonly StepUsage[];
  /** What answers to clarifications used, as far as the journal knows. */
  readonly answers: Usage;
}

/** Pure: from the journal. */
export function usageOfRun({ journal, definition }: Pick<Run, 'journal' | 'definition'>): RunUsage {
  const steps = new Map<string, StepUsage>();
  const answers = new Map<string, Usage>();
  for (const entry of journal) {
    if (entry.type === 'clarification-settled' && entry.usage !== undefined) {
      // A round may be settled several times; each reading holds the ones before.
      answers.set(`${entry.clarificationId}/${entry.round}`, entry.usage);
    }
    if (entry.type !== 'turn-ended' && entry.type !== 'turn-failed') continue;
    const { step, workMs = 0, usage } = entry;
    const agent = definition?.steps.find(({ id }) => id === step)?.agent ?? '';
    const before = steps.get(step) ?? { step, agent, turns: 0, workMs: 0, usage: NO_USAGE };
    const { turns, workMs: workedMs } = before;
    steps.set(step, { ...before, turns: turns + 1, workMs: workedMs + workMs, usage: sumOf(before.usage, usage) });
  }
  const usageOfAnswers = sumOf(...answers.values());
  const all = [...steps.values()];
  return { total: sumOf(usageOfAnswers, ...all.map(({ usage }) => usage)), steps: all, answers: usageOfAnswers };
}
