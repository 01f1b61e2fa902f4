import { parseIssueNumber } from '../../protocol/ids.js';
import { renderAssumptions } from '../../render/assumption.js';
import { viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

export async function list(line: CommandLine, { issue }: { readonly issue?: string }): Promise<undefined> {
  const { out } = line;
  const app = line.app();
  const number = issue === undefined ? undefined : parseIssueNumber(issue);
  // A fallback that is due is an assumption that is not written down yet.
  await app.completeInbox(out.note, out.warn);
  const { items, damaged } = await app.assumptions(number);
  for (const error of damaged) out.warn(error);
  out.json({ assumptions: items });
  if (items.length === 0) out.sayNone('Nothing was assumed.');
  else out.print(renderAssumptions(items, viewOf(line)));
  if (items.length > 0) notePageLink(line, { view: 'assumptions' });
}
