import { renderIssueList } from '../../render/issue.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { noteCopy } from '../note-copy.js';

export async function list(line: CommandLine, { all }: { readonly all: boolean }): Promise<undefined> {
  const { out } = line;
  const { items, damaged } = await line.app().issues();
  for (const error of damaged) out.warn(error);
  const issues = items.filter(({ state }) => all || state === 'open');
  out.json({ issues });
  if (issues.length > 0) out.print(renderIssueList(issues, listViewOf(line)));
  else out.print(items.length === 0 ? 'No issues yet.' : `No open issues; ${items.length} closed.`);
  if (items.length === 0) out.note('Create one: agentx issue create');
  else if (issues.length === 0) out.note('See them: agentx issue list --all');
  await noteCopy(line);
}
