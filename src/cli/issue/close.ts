import { parseIssueNumber } from '../../protocol/ids.js';
import { issueTitle } from '../../render/issue.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';

export async function close(line: CommandLine, number: string): Promise<undefined> {
  const { out } = line;
  const app = line.app();
  if (app.mode === 'github' && !/^#?\d+$/.test(number) && (await app.drafts()).length > 0) {
    const draft = await app.discardDraft(number);
    out.json({ discarded: draft });
    out.print(`${plainLine(draft.title)} is given up: GitHub does not get it.`);
    return;
  }
  const issue = await app.closeIssue(parseIssueNumber(number));
  out.json(issue);
  out.print(`${issueTitle(issue, out.paint)} is ${out.paint.good('closed')}.`);
}

export async function reopen(line: CommandLine, number: string): Promise<undefined> {
  const { out } = line;
  const issue = await line.app().reopenIssue(parseIssueNumber(number));
  out.json(issue);
  out.print(`${issueTitle(issue, out.paint)} is open.`);
}
