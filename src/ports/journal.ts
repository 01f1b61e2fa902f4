import type { Run, RunEvent } from '../protocol/run.js';

/**
 * The memory of one run. The process that keeps it carries the run: what comes next is decided from it alone, and all
 * work can be repeated until its events are here. Others may add facts, such as a human who wants steps done again.
 */
export interface Journal {
  /** The present run, undefined before it began. */
  read(): Promise<Run | undefined>;
  /** Starts the journal anew with a run that is not in it yet. */
  begin(run: Run): Promise<void>;
  /** All of them in order, in one write; durable when it resolves, with the run after them. */
  append(events: readonly RunEvent[]): Promise<Run>;
}
