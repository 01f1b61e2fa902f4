import { parseOrigin } from '../protocol/origin.js';
import type { Rework } from '../protocol/question.js';
import type { Run } from '../protocol/run.js';
import { type Timestamp, toEpochMs } from '../protocol/timestamp.js';
import { upstreamOf } from '../protocol/workflow.js';

export interface StandsOn {
  /** When the assumption was made: earlier work does not rest on it. */
  readonly since: Timestamp;
  /** Its cause; if a run caused it, this names the step. */
  readonly origin?: string;
}

/**
 * The work built on an assumption, by the journal of the run. It is the work of the step that made the
 * assumption and of all steps downstream: turns that ended since then, and turns that are under way. If the step is
 * unknown, the work of every step counts.
 */
export function reworkTargets(run: Run | undefined, { since, origin }: StandsOn): Pick<Rework, 'artifacts' | 'runs'> {
  if (run === undefined) return { artifacts: [], runs: [] };
  const cause = parseOrigin(origin);
  const madeIn = cause.by === 'run' && cause.runId === run.id ? cause.step : undefined;
  const isConcerned = (other: string) =>
    madeIn === undefined || other === madeIn || isDownstream(run, { of: madeIn, step: other });
  const turns = run.journal.flatMap((entry) =>
    entry.type === 'turn-ended' && toEpochMs(entry.at) >= toEpochMs(since) && isConcerned(entry.step) ? [entry] : [],
  );
  const busy = run.status === 'running' ? begun(run).filter(({ isOver, step }) => !isOver && isConcerned(step)) : [];
  const steps = [...new Set([...turns, ...busy].map((one) => one.step))];
  const artifacts = turns.flatMap(({ acts }) => acts.flatMap(({ path }) => path ?? []));
  return { artifacts: [...new Set(artifacts)], runs: steps.length === 0 ? [] : [{ runId: run.id, steps }] };
}

/** The run may have gone on before the choice: what has begun downstream meanwhile is done again as well. */
export function stepsToRedo(run: Run, steps: readonly string[]): readonly string[] {
  const later = begun(run)
    .map(({ step }) => step)
    .filter((step) => steps.some((of) => run.definition !== undefined && isDownstream(run, { of, step })));
  return [...new Set([...steps, ...later])];
}

/** The steps that were started, and whether they have ended since. */
function begun({ journal }: Run): readonly { readonly step: string; readonly isOver: boolean }[] {
  const isOver = new Map<string, boolean>();
  for (const entry of journal) {
    if (entry.type === 'step-started') isOver.set(entry.step, false);
    else if (entry.type === 'step-ended' && isOver.has(entry.step)) isOver.set(entry.step, true);
    else if (entry.type === 'reopened') for (const step of entry.steps) isOver.delete(step);
  }
  return [...isOver].map(([step, over]) => ({ step, isOver: over }));
}

function isDownstream({ definition }: Run, { of, step }: { readonly of: string; readonly step: string }): boolean {
  return definition === undefined || upstreamOf(definition, step).has(of);
}
