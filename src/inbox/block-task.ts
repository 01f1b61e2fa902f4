import { changeState } from '../board/issues.js';
import type { BoardPorts } from '../board/ports.js';
import type { BasePorts } from '../hub/ports.js';
import type { Issue } from '../protocol/issue.js';
import type { Question } from '../protocol/question.js';

/** The words of 004 for a task whose questions are open. */
const OPEN_QUESTION = 'Open Question';

/**
 * The task of a coder that cannot go on: blocked, unassigned, out of the ready queue. Once blocked it stays as it is.
 */
export async function blockTask(ports: BoardPorts, { issueNumber }: Question): Promise<void> {
  await changeTask(ports, issueNumber, (issue) =>
    issue.state === 'closed' || issue.taskStatus === 'done' || issue.taskStatus === 'blocked'
      ? issue
      : { ...issue, taskStatus: 'blocked', block_reason: OPEN_QUESTION, assignee: null },
  );
}

/** It is free again when the last question that blocked it has ended. A task blocked for another reason stays so. */
export async function unblockTask(ports: BoardPorts, { id, issueNumber }: Question): Promise<void> {
  if (await isHeldByQuestion(ports, issueNumber, id)) return;
  await changeTask(ports, issueNumber, (issue) =>
    issue.taskStatus === 'blocked' && issue.block_reason === OPEN_QUESTION
      ? { ...issue, taskStatus: 'open', block_reason: null }
      : issue,
  );
}

/** Whether an open question blocks the task: one other than `except`, which is about to end. */
export async function isHeldByQuestion(
  { store }: Pick<BasePorts, 'store'>,
  issueNumber: number,
  except?: string,
): Promise<boolean> {
  const { items } = await store.questions.summaries({ status: 'open' });
  return items.some((one) => one.id !== except && one.issueNumber === issueNumber && one.blocksTask === true);
}

/** Issues that are kept elsewhere have no task here. */
async function changeTask(ports: BoardPorts, issueNumber: number, change: (issue: Issue) => Issue): Promise<void> {
  const issue = await ports.store.issues.read(issueNumber);
  if (issue !== undefined && change(issue) !== issue) await changeState(ports, issueNumber, change);
}
