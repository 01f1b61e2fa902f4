import type { Rework } from '../protocol/question.js';
import type { Run } from '../protocol/run.js';
import { type Timestamp, toEpochMs } from '../protocol/timestamp.js';
import { upstreamOf } from '../protocol/workflow.js';

export interface StandsOn {
  /** When the assumption was made: what was done before does not stand on it. */
  readonly since: Timestamp;
  /** What caused it; of a run's, it names the step. */
  readonly origin?: string;
}

/**
 * What was built on an assumption, by the journal of the run: the turns that ended since, of the step that made
 * it and of those downstream of it; of every step where it is not known which one made it.
 */
export function reworkTargets(
  run: Run | undefined,
  { since, origin = '' }: StandsOn,
): Pick<Rework, 'artifacts' | 'runs'> {
  if (run === undefined) return { artifacts: [], runs: [] };
  const [runId, step] = origin.split('/');
  const isConcerned = (other: string) =>
    runId !== run.id || step === undefined || other === step || isDownstream(run, { of: step, step: other });
  const turns = run.journal.flatMap((entry) =>
    entry.type === 'turn-ended' && toEpochMs(entry.at) >= toEpochMs(since) && isConcerned(entry.step) ? [entry] : [],
  );
  const steps = [...new Set(turns.map((turn) => turn.step))];
  const artifacts = turns.flatMap(({ acts }) => acts.flatMap(({ path }) => path ?? []));
  return { artifacts: [...new Set(artifacts)], runs: steps.length === 0 ? [] : [{ runId: run.id, steps }] };
}

function isDownstream({ definition }: Run, { of, step }: { readonly of: string; readonly step: string }): boolean {
  return definition === undefined || upstreamOf(definition, step).has(of);
}
