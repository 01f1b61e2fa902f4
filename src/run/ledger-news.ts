import type { RunFact } from '../protocol/run.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import type { RunContext } from './context.js';
import { whatHolds } from './decide.js';
import { noticeIn, type StepLedger } from './new-clarifications.js';
import { progressOf, stateOf } from './step-state.js';

export interface LedgerNews {
  /** What is new to the journal. */
  readonly facts: readonly RunFact[];
  /** Whether the step has to wait, given these facts. */
  readonly isHeld: boolean;
  /** Whether the step's agent must get news first. */
  readonly hasNews: boolean;
}

/** The ledger as it is now, beside the journal. The followers of the run are shown what others wrote into it. */
export async function readLedger(
  { ports, issueNumber, journal, teller }: RunContext,
  step: WorkflowStep,
): Promise<StepLedger> {
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  teller.tell(clarifications);
  return { run: journal.run, step, clarifications };
}

/** Pure: what has become of a step's clarifications, in this process or another. */
export function ledgerNews(ledger: StepLedger, at: string): LedgerNews {
  const { run, step } = ledger;
  const { heard, news } = noticeIn({ ...ledger, at });
  const facts = [...heard, ...news];
  const progress = progressOf({ ...run, journal: [...run.journal, ...facts] });
  const state = stateOf(progress, step.id);
  return { facts, isHeld: whatHolds(state, progress).length > 0, hasNews: state.hasNews };
}
