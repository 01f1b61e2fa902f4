import { parseClarificationId, parseIssueNumber } from '../../protocol/ids.js';
import { renderClarificationList } from '../../render/clarification-list.js';
import { renderThread, type View } from '../../render/thread.js';
import { checkIfPossible } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';
import { listViewOf, viewOf, withAwaiting } from './view.js';

export interface ListOptions {
  readonly issue?: string;
  readonly all?: boolean;
  readonly retry: boolean;
}

/** The active clarifications, all clarifications, or those of one issue with their threads. */
export async function list(line: CommandLine, { issue, all = false, retry }: ListOptions): Promise<undefined> {
  const issueNumber = issue === undefined ? undefined : parseIssueNumber(issue);
  // A damaged ledger of the named issue is an error; without this the check would only warn.
  if (issueNumber !== undefined) await line.app().ledger(issueNumber);
  const active = await checkIfPossible(line, { retry });
  if (issueNumber !== undefined) return threadsOf(line, issueNumber, await withAwaiting(line, active, viewOf(line)));
  const { out } = line;
  const records = all ? (await line.app().clarifications('all')).items : active.map(({ record }) => record);
  out.json({
    clarifications: records.map((record) => ({ ...record, issueNumber: parseClarificationId(record.id).issueNumber })),
  });
  const view = await withAwaiting(line, active, listViewOf(line));
  if (records.length > 0) out.print(renderClarificationList(records, view));
  else if (all) out.sayNone('No agent has asked anything yet. Ask: agentx ask --help');
  else out.sayNone('No clarification is open. The closed ones: agentx clarify --all');
  if (records.length > 0) notePageLink(line, { view: 'asks' });
  return undefined;
}

async function threadsOf(line: CommandLine, issueNumber: number, view: View): Promise<undefined> {
  const { out } = line;
  const ledger = await line.app().ledger(issueNumber);
  out.json(ledger);
  const threads = ledger.clarifications.map((record) => renderThread(record, view));
  out.print(threads.length > 0 ? threads.join('\n\n') : `No agent has asked anything about #${issueNumber} yet.`);
  return undefined;
}
