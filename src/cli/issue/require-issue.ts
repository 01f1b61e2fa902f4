import { AgentXError } from '../../protocol/errors.js';
import type { Issue } from '../../protocol/issue.js';
import type { CommandLine } from '../command-line.js';

/** Called before any prompt, so that the error about a mistyped number comes alone. */
export async function requireIssue({ app }: CommandLine, issueNumber: number): Promise<Issue> {
  const issue = await app().issue(issueNumber);
  if (issue !== undefined) return issue;
  throw new AgentXError('NOT_FOUND', `There is no issue #${issueNumber}.`, { issueNumber });
}
