import { parseIssueNumber } from '../../protocol/ids.js';
import type { SeenOnGitHub } from '../../protocol/issue.js';
import { renderIssue } from '../../render/issue.js';
import { plainLine } from '../../render/plain-text.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { noteCopy } from '../note-copy.js';
import { requireIssue } from './require-issue.js';

export async function show(line: CommandLine, number: string): Promise<undefined> {
  const { out } = line;
  const issue = await requireIssue(line, parseIssueNumber(number));
  const unsent = await line.app().unsent(issue);
  out.json(unsent.length === 0 ? issue : { ...issue, unsent });
  const { width, paint, ...timing } = listViewOf(line);
  out.print(renderIssue(issue, { width, paint, timing }));
  if (issue.github !== undefined) out.print(`\n${placeOf(issue.github)}`);
  for (const { what, why } of unsent) {
    out.print(`Not sent yet: ${plainLine(what)}${why === undefined ? '' : ` (${plainLine(why)})`}`);
  }
  await noteCopy(line);
}

function placeOf({ url, gone, movedTo }: SeenOnGitHub): string {
  if (movedTo !== undefined) return `Transferred on GitHub to ${plainLine(movedTo)}.`;
  return gone === undefined ? `On GitHub: ${plainLine(url)}` : `Deleted on GitHub: ${plainLine(url)}`;
}
