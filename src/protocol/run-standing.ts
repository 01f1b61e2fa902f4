import type { Run, RunStatus } from './run.js';

/*
 * The real state of a run, beyond its file. The file cannot know that its process is gone, nor that a question which
 * the run waits for has ended: a look at claim and questions shows both.
 */

export interface RunStanding extends Omit<Run, 'status'> {
  /** `interrupted`: it was under way and no process carries it on. */
  readonly status: RunStatus | 'interrupted';
  /** Those of its awaited questions that have ended. */
  readonly ended: readonly string[];
  /** The command that goes on with it, if it could go on but no process does. */
  readonly goOn?: string;
}

export interface Carried {
  readonly run: Run;
  /** Whether a live process carries it on. */
  readonly isCarried: boolean;
}

/** The standing of a run that has not ended. */
export function standingOf({ run, isCarried }: Carried, openQuestions: ReadonlySet<string>): RunStanding {
  const isPaused = run.status === 'paused';
  const endedIds = isPaused ? run.waitingOn.filter((id) => !openQuestions.has(id)) : [];
  const isLeft = !isCarried && (!isPaused || endedIds.length > 0 || run.waitingOn.length === 0);
  return {
    ...run,
    status: isPaused || isCarried ? run.status : 'interrupted',
    ended: endedIds,
    ...(isLeft ? { goOn: `agentx run ${run.issueNumber}` } : {}),
  };
}
