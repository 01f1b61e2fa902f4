import type { Clock } from '../ports/clock.js';
import type { Listing, Store } from '../ports/store.js';
import { type AgentStandings, agentStandings, busyIssues, clarifyingIn } from '../protocol/agent-standing.js';
import type { AgentStatusFile } from '../protocol/agent-status.js';
import type { AgentXError } from '../protocol/errors.js';
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
  const agents = agentStandings(file, { runs: runs.items, openQuestions, unattended });
  return { agents, damaged: [...damaged, ...runs.damaged] };
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
  const [issues, questions] = await Promise.all([
    store.issues.summaries(),
    store.questions.summaries({ status: 'open' }),
  ]);
  const numbers = new Set(issues.items.map(({ number }) => number));
  const { items, damaged } = await runStandings(store, numbers, questions.items);
  return { items, damaged: [...issues.damaged, ...questions.damaged, ...damaged] };
}

/** The same for the runs of these issues, for callers that know which are open. */
export async function runStandings(
  { runs }: Pick<Store, 'runs'>,
  issueNumbers: ReadonlySet<number>,
  openQuestions: readonly Pick<QuestionSummary, 'id'>[],
): Promise<Listing<RunStanding>> {
  const open = new Set(openQuestions.map(({ id }) => id));
  const { items, damaged } = await runs.list({ finished: false, issues: issueNumbers });
  return { items: items.map((carried) => standingOf(carried, open)), damaged };
}
