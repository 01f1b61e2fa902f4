import { parseClarificationId } from '../../protocol/ids.js';
import { renderThread } from '../../render/thread.js';
import { checkIfPossible } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';
import { viewOf, withAwaiting } from './view.js';

export async function show(
  line: CommandLine,
  typedId: string,
  options: { readonly retry: boolean },
): Promise<undefined> {
  const { out } = line;
  const id = await line.app().findId('clarification', typedId);
  const { issueNumber } = parseClarificationId(id);
  const active = await checkIfPossible(line, options);
  const record = await line.app().showClarification(id);
  out.json({ ...record, issueNumber });
  out.print(renderThread(record, await withAwaiting(line, active, viewOf(line))));
  notePageLink(line, { view: 'asks', id: record.id });
}
