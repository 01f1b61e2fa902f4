import { isDeepStrictEqual } from 'node:util';
import type { LocatedWorkflow } from '../ports/workflows.js';
import type { Brief } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import { isFinished, type Run, stepsUnderWay } from '../protocol/run.js';
import type { Workflow } from '../protocol/workflow.js';
import type { BasePorts, OrderPorts } from './ports.js';

/** What the hub knows of an issue, as a brief shows it. */
export type IssueView = Brief['issue'];

/** Issue 0 holds what belongs to no issue; it always exists. */
const NO_ISSUE: IssueView = { number: 0, title: 'No issue', body: '', labels: [] };

export async function requireIssue(ports: Pick<BasePorts, 'store'>, issueNumber: number): Promise<IssueView> {
  if (issueNumber === 0) return NO_ISSUE;
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined) throw new AgentXError('NOT_FOUND', `There is no issue #${issueNumber}.`, { issueNumber });
  return { number: issue.number, title: issue.title, body: issue.body, labels: issue.labels };
}

export async function workflowOf(
  ports: Pick<OrderPorts, 'store' | 'log' | 'workflows'>,
  issueNumber: number,
): Promise<LocatedWorkflow> {
  return (await guideOf(ports, await requireIssue(ports, issueNumber))).located;
}

/** What guides agents on an issue: its workflow, and the steps that are under way. */
export interface Guide {
  readonly located: LocatedWorkflow;
  readonly running: readonly string[];
}

/** While a run is under way, the workflow of the run, whatever became of the file. */
export async function guideOf(
  ports: Pick<OrderPorts, 'store' | 'log' | 'workflows'>,
  issue: IssueView,
): Promise<Guide> {
  const run = issue.number === 0 ? undefined : await readRun(ports, issue.number);
  if (run?.definition === undefined || isFinished(run)) {
    return { located: await ports.workflows.forIssue(issue), running: [] };
  }
  return { located: await asInRun(ports, issue, run.definition), running: stepsUnderWay(run) };
}

/** A damaged run keeps its issue from going on, but not from being asked about. */
export async function readRun(
  { store, log }: Pick<BasePorts, 'store' | 'log'>,
  issueNumber: number,
): Promise<Run | undefined> {
  try {
    return await store.runs.read(issueNumber);
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
    log.warn('what a run says of its steps cannot be read', { issueNumber, error: error.message });
    return undefined;
  }
}

/** With the lines of the file as long as it is unchanged. */
async function asInRun(
  ports: Pick<OrderPorts, 'workflows'>,
  issue: IssueView,
  definition: Workflow,
): Promise<LocatedWorkflow> {
  const presentWorkflow = await ports.workflows.forIssue(issue).catch(() => undefined);
  if (presentWorkflow !== undefined && isDeepStrictEqual(presentWorkflow.workflow, definition)) return presentWorkflow;
  const file = `the workflow '${definition.workflow.name}' as the run began`;
  return { workflow: definition, file, lineOf: () => undefined };
}
