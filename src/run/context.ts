import type { Brief } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import type { RunStepPayload } from '../protocol/events.js';
import type { Issue } from '../protocol/issue.js';
import { originOfAct, turnOfStep } from '../protocol/origin.js';
import type { RunEvent, RunFact } from '../protocol/run.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { fillTemplate, type Workflow, type WorkflowStep } from '../protocol/workflow.js';
import type { JournalBuffer } from './journal-buffer.js';
import type { RunPorts } from './ports.js';
import type { LedgerTeller } from './tell-ledger.js';

/** What the actions of one run work with. Each function names the ports that it uses, and gets no others. */
export interface RunContext<Port extends keyof RunPorts = never> {
  readonly ports: Pick<RunPorts, Port>;
  readonly issueNumber: number;
  readonly runId: string;
  /** As it was when the run began, or when a human last had a step tried again. */
  readonly workflow: Workflow;
  /** From its present file; undefined if the file is wrong, or lacks a step that is under way. */
  presentWorkflow(): Promise<Workflow | undefined>;
  /** Its `run` is the run so far, including events that are still to be written. */
  readonly journal: Pick<JournalBuffer, 'run' | 'defer'>;
  /** The steps that have begun and not ended, also if the journal does not say so yet. */
  readonly underWay: Set<string>;
  /** Shows the followers of the run what others have written into its ledger. */
  readonly teller: Pick<LedgerTeller, 'tell'>;
}

/** One turn of one step; what a reply causes is recognised by it. */
export interface Place {
  readonly step: string;
  readonly attempt: number;
  readonly turn: number;
}

export function requireStep({ workflow, runId }: RunContext, id: string): WorkflowStep {
  const step = workflow.steps.find((candidate) => candidate.id === id);
  if (step !== undefined) return step;
  throw new AgentXError('INVALID_STATE', `Run ${runId} has no step '${id}' in its workflow.`, { runId, step: id });
}

export async function readIssue({
  ports,
  issueNumber,
}: Pick<RunContext<'store'>, 'ports' | 'issueNumber'>): Promise<Issue> {
  const issue = await ports.store.issues.read(issueNumber);
  if (issue !== undefined) return issue;
  throw new AgentXError('NOT_FOUND', `There is no issue #${issueNumber}.`, { issueNumber });
}

/** Everything that a turn causes carries its origin, so that it is caused once. */
export function originOf(
  { runId }: Pick<RunContext, 'runId'>,
  { step, turn }: Omit<Place, 'attempt'>,
  act: string,
): string {
  return originOfAct(turnOfStep(runId, step, turn), act);
}

export function stepPayload(
  { ports, issueNumber, runId }: RunContext<'clock'>,
  step: WorkflowStep,
  issue: Pick<Brief['issue'], 'number' | 'title'>,
): RunStepPayload {
  return {
    runId,
    issueNumber,
    step: step.id,
    agent: step.agent,
    title: fillTemplate(step.title, issue),
    timestamp: toEpochMs(ports.clock.now()),
  };
}

export function recorded(at: string, ...facts: readonly RunFact[]): readonly RunEvent[] {
  return [{ type: 'record', at, facts }];
}
