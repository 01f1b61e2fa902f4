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
  const unattendedIds = await unattendedClarifications(store, file, clock.now());
  // Runs that could go on, and may not: their issue was closed by a person, or is done.
  const leftIssues = await those(
    runs.items.flatMap(({ issueNumber, goOn }) => (goOn === undefined ? [] : [issueNumber])),
    async (number) => (await store.issues.read(number))?.state === 'closed',
  );
  const agents = agentStandings(file, {
    runs: runs.items,
    openQuestions,
    unattended: unattendedIds,
    left: leftIssues.items,
  });
  return { agents, damaged: [...damaged, ...runs.damaged, ...leftIssues.damaged] };
}

/** Those of which it is true; what cannot be read is reported and left out. */
async function those<T>(candidates: Iterable<T>, isIt: (candidate: T) => Promise<boolean>) {
  const items = new Set<T>();
  const damaged: AgentXError[] = [];
  for (const candidate of candidates) {
    try {
      if (await isIt(candidate)) items.add(candidate);
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      damaged.push(error);
    }
  }
  return { items, damaged };
}

/** A process that is to have a target answer has taken its claim by then, even on a busy machine. */
const STARTING_MS = 60_000;

async function unattendedClarifications(
  store: Pick<Store, 'heldBy'>,
  file: AgentStatusFile,
  now: string,
): Promise<ReadonlySet<string>> {
  const unattendedIds = new Set<string>();
  for (const { id, since } of clarifyingIn(file)) {
    const by = await store.heldBy({ route: id });
    if (by === 'dead' || (by === 'none' && toEpochMs(now) - toEpochMs(since) > STARTING_MS)) unattendedIds.add(id);
  }
  return unattendedIds;
}

/** The standing of every run that has not ended, by issue number. */
export async function unfinishedRuns({ store }: Reading): Promise<Listing<RunStanding>> {
  const issues = await store.issues.summaries();
  const numbers = new Set(issues.items.map(({ number }) => number));
  const runs = await store.runs.list({ finished: false, issues: numbers });
  // Few questions are waited for, while thousands may be open.
  const openQuestionsPage = await those(
    new Set(runs.items.flatMap(({ run }) => run.waitingOn)),
    async (id) => (await store.questions.read(id))?.status === 'open',
  );
  return {
    items: runs.items.map((carried) => standingOf(carried, openQuestionsPage.items)),
    damaged: [...issues.damaged, ...runs.damaged, ...openQuestionsPage.damaged],
  };
}

/** The same for the runs of these issues, for callers that know the open questions. */
export async function runStandings(
  { runs }: Pick<Store, 'runs'>,
  issueNumbers: ReadonlySet<number>,
  openQuestions: readonly Pick<QuestionSummary, 'id'>[],
): Promise<Listing<RunStanding>> {
  const openIds = new Set(openQuestions.map(({ id }) => id));
  const { items, damaged } = await runs.list({ finished: false, issues: issueNumbers });
  return { items: items.map((carried) => standingOf(carried, openIds)), damaged };
}
