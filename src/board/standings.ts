import type { Clock } from '../ports/clock.js';
import type { Listing, Store } from '../ports/store.js';
import { type AgentStandings, agentStandings, busyIssues, clarifyingIn } from '../protocol/agent-standing.js';
import type { AgentStatusFile } from '../protocol/agent-status.js';
import { AgentXError } from '../protocol/errors.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import { type RunStanding, standingOf } from '../protocol/run-standing.js';
import { toEpochMs } from '../protocol/timestamp.js';

type Reading = { readonly store: Store };

/** What each agent really does, even if a process died and could not say so. */
export async function whoIsAtWhat({ store, clock }: Reading & { readonly clock: Pick<Clock, 'now'> }): Promise<{
  readonly agents: AgentStandings;
  readonly damaged: readonly AgentXError[];
}> {
  const file = await store.statuses.read();
  const { items: openQuestions, damaged } = await store.questions.summaries({ status: 'open' });
  const runs = await runStandings(store, busyIssues(file), openQuestions);
  const unattended = await unattendedClarifications(store, file, clock.now());
  const left = await closedAmong(store, runs.items);
  const agents = agentStandings(file, { runs: runs.items, openQuestions, unattended, left });
  return { agents, damaged: [...damaged, ...runs.damaged] };
}

/** A run that could go on, and may not: its issue was closed by a person, or is done. */
async function closedAmong(
  { issues }: Pick<Store, 'issues'>,
  runs: readonly Pick<RunStanding, 'issueNumber' | 'goOn'>[],
): Promise<ReadonlySet<number>> {
  const states = await Promise.all(
    runs.flatMap(({ issueNumber, goOn }) => (goOn === undefined ? [] : [issues.read(issueNumber)])),
  );
  return new Set(states.flatMap((issue) => (issue?.state === 'closed' ? [issue.number] : [])));
}

/** A process that is to have a target answer has taken its claim by then, even on a busy machine. */
const STARTING_MS = 60_000;

async function unattendedClarifications(
  store: Pick<Store, 'heldBy'>,
  file: AgentStatusFile,
  now: string,
): Promise<ReadonlySet<string>> {
  const unattended = new Set<string>();
  for (const { id, since } of clarifyingIn(file)) {
    const by = await store.heldBy({ route: id });
    if (by === 'dead' || (by === 'none' && toEpochMs(now) - toEpochMs(since) > STARTING_MS)) unattended.add(id);
  }
  return unattended;
}

/** The standing of every run that has not ended, by issue number. */
export async function unfinishedRuns({ store }: Reading): Promise<Listing<RunStanding>> {
  const issues = await store.issues.summaries();
  const numbers = new Set(issues.items.map(({ number }) => number));
  const runs = await store.runs.list({ finished: false, issues: numbers });
  const questions = await openAmong(store, new Set(runs.items.flatMap(({ run }) => run.waitingOn)));
  return {
    items: runs.items.map((carried) => standingOf(carried, questions.open)),
    damaged: [...issues.damaged, ...runs.damaged, ...questions.damaged],
  };
}

/** Few questions are waited for, while thousands may be open. */
async function openAmong({ questions }: Pick<Store, 'questions'>, ids: ReadonlySet<string>) {
  const open = new Set<string>();
  const damaged: AgentXError[] = [];
  for (const id of ids) {
    try {
      if ((await questions.read(id))?.status === 'open') open.add(id);
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      damaged.push(error);
    }
  }
  return { open, damaged };
}

/** The same for the runs of these issues, for callers that know the open questions. */
export async function runStandings(
  { runs }: Pick<Store, 'runs'>,
  issueNumbers: ReadonlySet<number>,
  openQuestions: readonly Pick<QuestionSummary, 'id'>[],
): Promise<Listing<RunStanding>> {
  const open = new Set(openQuestions.map(({ id }) => id));
  const { items, damaged } = await runs.list({ finished: false, issues: issueNumbers });
  return { items: items.map((carried) => standingOf(carried, open)), damaged };
}
