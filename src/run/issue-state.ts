import { changeState } from '../board/issues.js';
import type { BoardPorts } from '../board/ports.js';
import { isHeldByQuestion } from '../inbox/block-task.js';
import type { Issue } from '../protocol/issue.js';

/*
 * The issue while a run carries it: in progress, assigned to the agent whose step began last, out of the ready queue
 * until the run is over or left.
 */

interface IssueContext {
  readonly ports: BoardPorts;
  readonly issueNumber: number;
}

const NOT_BEGUN = ['Backlog', 'Ready'];

/** What another step asks a human keeps the task blocked until that question has ended. */
export async function takeTask(
  { ports, issueNumber }: IssueContext,
  { taskStatus }: Pick<Issue, 'taskStatus'>,
  { agent, column }: { readonly agent: string; readonly column?: string | undefined },
): Promise<void> {
  const isFreed = taskStatus === 'blocked' && !(await isHeldByQuestion(ports, issueNumber));
  await change(ports, issueNumber, (issue) => {
    const status = column ?? (NOT_BEGUN.includes(issue.status) ? 'In Progress' : issue.status);
    if (issue.taskStatus === 'blocked' && !isFreed) return issue.status === status ? issue : { ...issue, status };
    const isTaken = issue.taskStatus === 'in_progress' && issue.assignee === agent && issue.status === status;
    return isTaken ? issue : { ...issue, status, taskStatus: 'in_progress', assignee: agent, block_reason: null };
  });
}

/** Moves it on the board. */
export async function moveTask({ ports, issueNumber }: IssueContext, column: string): Promise<void> {
  await change(ports, issueNumber, (issue) => (issue.status === column ? issue : { ...issue, status: column }));
}

/** No agent works on it any more, though it is not done. */
export async function leaveTask({ ports, issueNumber }: IssueContext): Promise<void> {
  await change(ports, issueNumber, (issue) =>
    issue.taskStatus === 'in_progress' ? { ...issue, taskStatus: 'open', assignee: null } : issue,
  );
}

export async function finishTask({ ports, issueNumber }: IssueContext): Promise<void> {
  await change(ports, issueNumber, (issue) =>
    issue.taskStatus === 'done' ? issue : { ...issue, taskStatus: 'done', assignee: null, block_reason: null },
  );
}

/** An issue that a person closed meanwhile stays closed. */
async function change(ports: BoardPorts, issueNumber: number, next: (issue: Issue) => Issue): Promise<void> {
  await changeState(ports, issueNumber, (issue) => (issue.state === 'closed' ? issue : next(issue)));
}
