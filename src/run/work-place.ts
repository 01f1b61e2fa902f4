import type { WorkTrees } from '../ports/work-trees.js';
import { AgentXError } from '../protocol/errors.js';
import type { RunBranch } from '../protocol/events.js';
import type { Run, WorkTree } from '../protocol/run.js';
import type { RunPorts } from './ports.js';

/* Where the agents of a run work: in the repository's own folder, or in a work tree with a branch of its own. */

interface PlaceRequest {
  readonly issue: { readonly number: number };
  readonly here?: boolean;
}

/** For a new run. */
export async function plannedTree(
  { workTrees }: Pick<RunPorts, 'workTrees'>,
  { issue, here = false }: PlaceRequest,
): Promise<WorkTree | undefined> {
  return here || workTrees?.isWanted !== true ? undefined : workTrees.plan(issue.number);
}

/** A run ends where it began: its work so far is there. */
export function requireSamePlace({ id, issueNumber, workTree }: Run, { here = false }: PlaceRequest): void {
  if (!here || workTree === undefined) return;
  throw new AgentXError(
    'INVALID_STATE',
    `The run of issue #${issueNumber} has begun on the branch ${workTree.branch} and cannot go on here. ` +
      `Go on with: agentx run ${issueNumber}.`,
    { runId: id, issueNumber, branch: workTree.branch },
  );
}

/** Makes the work tree, or finds it again; returns what a person should know. */
export async function openPlace(
  { workTrees }: Pick<RunPorts, 'workTrees'>,
  { id, journal, workTree }: Run,
): Promise<string | undefined> {
  if (workTree === undefined || workTrees === undefined) return undefined;
  const hasBegun = journal.some(({ type }) => type === 'step-started');
  return workTrees.open(id, workTree, { hasBegun });
}

export function branchOf(
  { workTrees }: { readonly workTrees?: Pick<WorkTrees, 'folderOf'> | undefined },
  { id, workTree }: Pick<Run, 'id' | 'workTree'>,
): RunBranch | undefined {
  if (workTree === undefined || workTrees === undefined) return undefined;
  return { name: workTree.branch, base: workTree.base, folder: workTrees.folderOf(id) };
}

/** The folder of the run's files, for people. */
export function placeName({ workTrees }: Pick<RunPorts, 'workTrees'>, run: Run): string {
  const branch = branchOf({ workTrees }, run);
  if (branch === undefined) return 'the repository';
  return [branch.folder, run.workTree?.inside].filter((part) => part).join('/');
}

/** Everything that was changed becomes a commit of the branch, whether the run is over or waits. */
export async function keepWork(
  { workTrees, log }: Pick<RunPorts, 'workTrees' | 'log'>,
  { id, workTree }: Run,
  issue: { readonly number: number; readonly title: string },
): Promise<string | undefined> {
  if (workTree === undefined || workTrees === undefined) return undefined;
  const problem = await workTrees.commit(id, workTree, `${issue.title} (#${issue.number})`);
  if (problem === undefined) return undefined;
  log.error('the work of a run was not committed', { runId: id, branch: workTree.branch, error: problem });
  return `What was changed is in ${workTrees.folderOf(id)} and could not be committed: ${problem}`;
}
