import { AgentXError } from '../../protocol/errors.js';
import type { SyncReport } from '../../protocol/github.js';
import { plainLine } from '../../render/plain-text.js';
import { routeLater } from '../ask/route-later.js';
import type { CommandLine } from '../command-line.js';

const SHOWN = 10;

/** Exit code 1 if something could not be exchanged. */
export async function sync(
  line: CommandLine,
  { isBeside }: { readonly isBeside: boolean },
): Promise<number | undefined> {
  const { out } = line;
  const app = line.app();
  const report = await app.syncGitHub({ isPatient: isBeside });
  for (const id of report.answered) {
    for (const clarificationId of await app.whoWaitsFor(id)) routeLater(line, clarificationId);
  }
  out.json(report);
  out.print(summaryOf(report));
  for (const { issueNumber, movedTo } of report.gone) {
    const fate = movedTo === undefined ? 'was deleted on GitHub' : `was transferred to ${plainLine(movedTo)}`;
    out.print(`  #${issueNumber} ${fate}: it is closed here.`);
  }
  for (const { issueNumber, what, why } of report.unsent.slice(0, SHOWN)) {
    const where = issueNumber === undefined ? '' : `#${issueNumber}: `;
    out.print(`  not sent: ${where}${plainLine(what)}${why === undefined ? '' : ` (${plainLine(why)})`}`);
  }
  if (report.unsent.length > SHOWN) out.print(`  and ${report.unsent.length - SHOWN} more. See: agentx sync --json`);
  const { trouble } = report;
  if (trouble === undefined) return undefined;
  out.warn(new AgentXError('STORE_ERROR', trouble.message, { repo: report.repo, retryAt: trouble.retryAt ?? null }));
  return 1;
}

function summaryOf({ repo, received, sent, answered }: SyncReport): string {
  const parts = [
    `${received} ${received === 1 ? 'issue' : 'issues'} received`,
    `${sent} ${sent === 1 ? 'change' : 'changes'} sent`,
    ...(answered.length > 0 ? [`answered there: ${answered.join(', ')}`] : []),
  ];
  return `${plainLine(repo)}: ${parts.join(', ')}.`;
}
