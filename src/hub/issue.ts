import type { LocatedWorkflow } from '../ports/workflows.js';
import type { Brief } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import type { HubPorts } from './ports.js';

/** What the hub knows of an issue, as a brief shows it. */
export type IssueView = Brief['issue'];

/** Issue 0 holds what belongs to no issue; it always exists. */
const NO_ISSUE: IssueView = { number: 0, title: 'No issue', body: '', labels: [] };

export async function requireIssue(ports: HubPorts, issueNumber: number): Promise<IssueView> {
  if (issueNumber === 0) return NO_ISSUE;
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined) throw new AgentXError('NOT_FOUND', `There is no issue #${issueNumber}.`, { issueNumber });
  return { number: issue.number, title: issue.title, body: issue.body, labels: issue.labels };
}

export async function workflowOf(ports: HubPorts, issueNumber: number): Promise<LocatedWorkflow> {
  return ports.workflows.forIssue(await requireIssue(ports, issueNumber));
}
