import { parseIssueNumber } from '../../protocol/ids.js';
import { issueTitle } from '../../render/issue.js';
import type { CommandLine } from '../command-line.js';
import type { TextOf } from '../text.js';
import { requireIssue } from './require-issue.js';

export interface CommentOptions {
  readonly number: string;
  readonly text: TextOf;
}

export async function comment(line: CommandLine, { number, text }: CommentOptions): Promise<undefined> {
  const { out } = line;
  const author = line.agent ?? line.principal;
  const issueNumber = parseIssueNumber(number);
  await requireIssue(line, issueNumber);
  const issue = await line.app().commentIssue({ number: issueNumber, body: await text(line), author });
  out.json(issue);
  const { length } = issue.comments;
  out.print(`${issueTitle(issue, out.paint)}: ${length} ${length === 1 ? 'comment' : 'comments'}`);
}
