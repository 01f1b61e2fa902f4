import { parseIssueNumber } from '../../protocol/ids.js';
import { issueTitle } from '../../render/issue.js';
import type { CommandLine } from '../command-line.js';

export async function close(line: CommandLine, number: string): Promise<undefined> {
  const { out } = line;
  const issue = await line.app().closeIssue(parseIssueNumber(number));
  out.json(issue);
  out.print(`${issueTitle(issue, out.paint)} is ${out.paint.good('closed')}.`);
}

export async function reopen(line: CommandLine, number: string): Promise<undefined> {
  const { out } = line;
  const issue = await line.app().reopenIssue(parseIssueNumber(number));
  out.json(issue);
  out.print(`${issueTitle(issue, out.paint)} is open.`);
}
