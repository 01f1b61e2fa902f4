import type { Listing, Store } from '../ports/store.js';
import { type AgentStandings, agentStandings, busyIssues } from '../protocol/agent-standing.js';
import type { AgentXError } from '../protocol/errors.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import { type RunStanding, standingOf } from '../protocol/run-standing.js';

type Reading = { readonly store: Store };

/** Who is at what, as it really is: also where a process died and could not say so. */
export async function whoIsAtWhat({
  store,
}: Reading): Promise<{ readonly agents: AgentStandings; readonly damaged: readonly AgentXError[] }> {
  const file = await store.statuses.read();
  const { items: openQuestions, damaged } = await store.questions.listPending();
  const runs = await runStandings(store, busyIssues(file), openQuestions);
  const agents = agentStandings(file, { runs: runs.items, openQuestions });
  return { agents, damaged: [...damaged, ...runs.damaged] };
}

/** How every run stands that has not ended, by issue number. */
export async function unfinishedRuns({ store }: Reading): Promise<Listing<RunStanding>> {
  const [issues, questions] = await Promise.all([store.issues.listUnfinished(), store.questions.listPending()]);
  const numbers = new Set(issues.items.map(({ number }) => number));
  const { items, damaged } = await runStandings(store, numbers, questions.items);
  return { items, damaged: [...issues.damaged, ...questions.damaged, ...damaged] };
}

/** The same of the runs of these issues, for those who know what is open. */
export async function runStandings(
  { runs }: Pick<Store, 'runs'>,
  issueNumbers: ReadonlySet<number>,
  openQuestions: readonly Pick<QuestionSummary, 'id'>[],
): Promise<Listing<RunStanding>> {
  const open = new Set(openQuestions.map(({ id }) => id));
  const { items, damaged } = await runs.listUnfinished(issueNumbers);
  return { items: items.map((carried) => standingOf(carried, open)), damaged };
}
