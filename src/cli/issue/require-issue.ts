import { AgentXError } from '../../protocol/errors.js';
import type { Issue } from '../../protocol/issue.js';
import type { CommandLine } from '../command-line.js';

/** Before anybody is asked for more: whoever mistypes a number hears of that alone. */
export async function requireIssue({ app }: CommandLine, issueNumber: number): Promise<Issue> {
  const issue = await app().store.issues.read(issueNumber);
  if (issue !== undefined) return issue;
  throw new AgentXError('NOT_FOUND', `There is no issue #${issueNumber}.`, { issueNumber });
}
