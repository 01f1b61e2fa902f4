import type { Run } from '../protocol/run.js';

/** How far a run is, according to its journal. */
export interface StepsOf {
  readonly done: number;
  readonly total: number;
  /** Steps that have begun and not ended. */
  readonly atWork: readonly { readonly step: string; readonly agent: string }[];
}

export function stepsOf({ journal, definition }: Pick<Run, 'journal' | 'definition'>): StepsOf {
  const begunSteps = new Set<string>();
  const endedSteps = new Set<string>();
  for (const entry of journal) {
    if (entry.type === 'step-started') begunSteps.add(entry.step);
    if (entry.type === 'step-ended') endedSteps.add(entry.step);
    if (entry.type !== 'reopened') continue;
    for (const step of entry.steps) {
      begunSteps.delete(step);
      endedSteps.delete(step);
    }
  }
  const steps = definition?.steps ?? [];
  const agentOf = (id: string): string => steps.find((step) => step.id === id)?.agent ?? '?';
  const atWork = [...begunSteps]
    .filter((step) => !endedSteps.has(step))
    .map((step) => ({ step, agent: agentOf(step) }));
  return { done: endedSteps.size, total: Math.max(steps.length, begunSteps.size), atWork };
}
