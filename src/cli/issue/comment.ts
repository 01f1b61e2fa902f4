import { parseIssueNumber } from '../../protocol/ids.js';
import { issueTitle } from '../../render/issue.js';
import type { CommandLine } from '../command-line.js';

export interface CommentOptions {
  readonly number: string;
  readonly body: string;
}

export async function comment(line: CommandLine, { number, body }: CommentOptions): Promise<undefined> {
  const { out } = line;
  const author = line.agent ?? line.principal;
  const issue = await line.app().commentIssue({ number: parseIssueNumber(number), body, author });
  out.json(issue);
  const { length } = issue.comments;
  out.print(`${issueTitle(issue, out.paint)}: ${length} ${length === 1 ? 'comment' : 'comments'}`);
}
