import { parseIssueNumber } from '../../protocol/ids.js';
import { renderIssue } from '../../render/issue.js';
import type { CommandLine } from '../command-line.js';
import { requireIssue } from './require-issue.js';

export async function show(line: CommandLine, number: string): Promise<undefined> {
  const { out } = line;
  const issue = await requireIssue(line, parseIssueNumber(number));
  out.json(issue);
  const { width, paint } = out;
  out.print(renderIssue(issue, { width, paint, timing: { now: line.app().clock.now(), isRelative: out.isTerminal } }));
}
