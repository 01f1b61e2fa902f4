import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { IssueNumber, QuestionId, RunId } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/*
 * A run is `created`, then `running`; it is `paused` while humans are asked (`waitingOn` names their questions) and
 * runs again when resumed. It ends `done`, `failed` or `stopped` and then never changes. Beside its status it has a
 * phase: `planning` until the first engineer or coder step starts, `execution` from then on. Every event joins the
 * journal, which is what a resumed run reads to know what was done; `note` joins it without changing anything else.
 */

export const RunStatus = z.enum(['created', 'running', 'paused', 'done', 'failed', 'stopped']);
export type RunStatus = z.infer<typeof RunStatus>;

export const JournalEntry = z.looseObject({ at: Timestamp, type: z.string() });
export type JournalEntry = Shape<typeof JournalEntry>;

export const Run = z.looseObject({
  id: RunId,
  issueNumber: IssueNumber,
  workflow: z.string(),
  status: RunStatus,
  phase: z.enum(['planning', 'execution']),
  startedAt: Timestamp,
  updatedAt: Timestamp,
  waitingOn: z.array(QuestionId),
  journal: z.array(JournalEntry),
});
export type Run = Shape<typeof Run>;

export type RunEvent =
  | { type: 'start' | 'resume' | 'finish' | 'enter-execution'; at: string }
  | { type: 'pause'; at: string; waitingOn: readonly string[] }
  | { type: 'fail' | 'stop'; at: string; reason: string }
  | { type: 'note'; at: string; note: string; data?: Readonly<Record<string, unknown>> };

export const RUN_TRANSITIONS: Readonly<Record<RunStatus, Readonly<Partial<Record<RunEvent['type'], RunStatus>>>>> = {
  created: { start: 'running', fail: 'failed', stop: 'stopped' },
  running: {
    pause: 'paused',
    finish: 'done',
    fail: 'failed',
    stop: 'stopped',
    'enter-execution': 'running',
    note: 'running',
  },
  paused: { resume: 'running', fail: 'failed', stop: 'stopped', note: 'paused' },
  done: {},
  failed: {},
  stopped: {},
};

export interface NewRun {
  readonly id: string;
  readonly issueNumber: number;
  readonly workflow: string;
  readonly at: string;
}

export function createRun({ id, issueNumber, workflow, at }: NewRun): Run {
  return {
    id,
    issueNumber,
    workflow,
    status: 'created',
    phase: 'planning',
    startedAt: at,
    updatedAt: at,
    waitingOn: [],
    journal: [{ at, type: 'created' }],
  };
}

export function transition(run: Run, event: Readonly<RunEvent>): Run {
  const status = RUN_TRANSITIONS[run.status][event.type];
  if (status === undefined) throw illegal(run, event.type);
  return {
    ...run,
    status,
    phase: event.type === 'enter-execution' ? 'execution' : run.phase,
    updatedAt: event.at,
    waitingOn: waitingAfter(run, event, status),
    journal: [...run.journal, journalEntry(event)],
  };
}

export function isFinished(run: Pick<Run, 'status'>): boolean {
  return run.status === 'done' || run.status === 'failed' || run.status === 'stopped';
}

function waitingAfter(run: Run, event: Readonly<RunEvent>, status: RunStatus): readonly string[] {
  if (event.type === 'pause') return event.waitingOn;
  return status === 'paused' ? run.waitingOn : [];
}

function journalEntry(event: Readonly<RunEvent>): JournalEntry {
  if (event.type !== 'note') return event;
  return { ...event.data, at: event.at, type: event.note };
}

function illegal(run: Run, event: string): AgentXError {
  const allowed = Object.keys(RUN_TRANSITIONS[run.status]);
  const what = allowed.length > 0 ? allowed.join(', ') : 'nothing, it has ended';
  return new AgentXError(
    'INVALID_STATE',
    `Run ${run.id} is ${run.status}, which does not take '${event}'. Allowed: ${what}.`,
    {
      runId: run.id,
      status: run.status,
      event,
      allowed,
    },
  );
}
