import { AgentXError } from '../protocol/errors.js';
import { emptyMirror } from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';
import type { IssueRecords } from './desired-state.js';
import type { SyncPorts } from './ports.js';

/** All records about one issue. */
export async function recordsOf(
  { store, mirror, clock }: Pick<SyncPorts, 'store' | 'mirror' | 'clock'>,
  issue: Issue,
  hasQuestions = true,
): Promise<IssueRecords> {
  const { number } = issue;
  const [ledger, questions, assumptions, issueMirror] = await Promise.all([
    store.ledgers.read(number),
    hasQuestions ? store.questions.list({ issue: number }) : { items: [] },
    store.assumptions.read(number),
    mirror.issue(number).read(),
  ]);
  return {
    issue,
    ledger,
    questions: questions.items,
    assumptions: assumptions.assumptions_made,
    mirror: issueMirror ?? emptyMirror(number),
    now: clock.now(),
  };
}

/** A damaged record is left out; other readers report it. */
export async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AgentXError && error.code === 'CORRUPT_FILE') return undefined;
    throw error;
  }
}
