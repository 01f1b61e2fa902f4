import type { Run, RunStatus } from './run.js';

/*
 * How a run stands, beside what its file says. The file cannot know that its process is gone, nor that a question which
 * the run waits for has ended: both are seen by whoever looks.
 */

export interface RunStanding extends Omit<Run, 'status'> {
  /** `interrupted`: it was under way and no process carries it on. */
  readonly status: RunStatus | 'interrupted';
  /** Of the questions that it waits for, those that have ended. */
  readonly ended: readonly string[];
  /** The command that goes on, where there is something to go on with and nobody does. */
  readonly goOn?: string;
}

export interface Carried {
  readonly run: Run;
  /** Whether a live process carries it on. */
  readonly isCarried: boolean;
}

/** Of a run that has not ended. */
export function standingOf({ run, isCarried }: Carried, openQuestions: ReadonlySet<string>): RunStanding {
  const isPaused = run.status === 'paused';
  const ended = isPaused ? run.waitingOn.filter((id) => !openQuestions.has(id)) : [];
  const isLeft = !isCarried && (!isPaused || ended.length > 0 || run.waitingOn.length === 0);
  return {
    ...run,
    status: isPaused || isCarried ? run.status : 'interrupted',
    ended,
    ...(isLeft ? { goOn: `agentx run ${run.issueNumber}` } : {}),
  };
}
