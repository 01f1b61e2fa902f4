import type { RunFact } from '../protocol/run.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import type { RunContext } from './context.js';
import { whatHolds } from './decide.js';
import { type Noticing, noticeIn } from './new-clarifications.js';
import { progressOf, stateOf } from './step-state.js';

export interface LedgerNews {
  /** What is new to the journal. */
  readonly facts: readonly RunFact[];
  /** Whether the step has to wait, given these facts. */
  readonly isHeld: boolean;
  /** Whether the step's agent must get news first. */
  readonly hasNews: boolean;
}

/** What has become of a step's clarifications, in this process or another. */
export async function ledgerNews(context: RunContext, step: WorkflowStep): Promise<LedgerNews> {
  const now = await ledgerNow(context, step);
  const { heard, news } = noticeIn({ ...now, at: context.ports.clock.now() });
  const facts = [...heard, ...news];
  const progress = progressOf({ ...now.run, journal: [...now.run.journal, ...facts] });
  const state = stateOf(progress, step.id);
  return { facts, isHeld: whatHolds(state, progress).length > 0, hasNews: state.hasNews };
}

export async function ledgerNow(
  { ports, issueNumber, run, tellLedger }: RunContext,
  step: WorkflowStep,
): Promise<Pick<Noticing, 'run' | 'step' | 'clarifications'>> {
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  tellLedger(clarifications);
  return { run: run(), step, clarifications };
}
