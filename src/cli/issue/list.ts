import { renderIssueList } from '../../render/issue.js';
import { plainLine } from '../../render/plain-text.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { noteCopy } from '../note-copy.js';

/** Enough to tell drafts apart: `agentx issue close 1a2b3c4d` discards one. */
const SHORT_ID = 8;

export async function list(line: CommandLine, { all }: { readonly all: boolean }): Promise<undefined> {
  const { out } = line;
  const { items, damaged } = await line.app().issues();
  for (const error of damaged) out.warn(error);
  const issues = items.filter(({ state }) => all || state === 'open');
  const drafts = await line.app().drafts();
  out.json({ issues, ...(drafts.length > 0 && { drafts }) });
  if (issues.length > 0) out.print(renderIssueList(issues, listViewOf(line)));
  else out.sayNone(items.length === 0 ? 'No issues yet.' : `No open issues; ${items.length} closed.`);
  if (items.length === 0 && damaged.length === 0) out.note('Create one: agentx issue create');
  else if (issues.length === 0) out.note('See them: agentx issue list --all');
  for (const { id, title, refused, trouble } of drafts) {
    const wait = trouble === undefined ? 'not on GitHub yet' : `not on GitHub yet: ${plainLine(trouble.message)}`;
    const why = refused === undefined ? wait : `GitHub refuses it: ${plainLine(refused)}`;
    out.print(`draft ${id.slice(0, SHORT_ID)}  ${plainLine(title)}  ${out.paint.quiet(`(${why})`)}`);
  }
  await noteCopy(line);
}
