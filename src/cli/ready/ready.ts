import type { App } from '../../app/app.js';
import { priorityOf, typeOf } from '../../protocol/issue.js';
import { plainLine } from '../../render/plain-text.js';
import { table } from '../../render/table.js';
import { checkIfPossible } from '../check.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { noteCopy } from '../note-copy.js';
import { notePageLink } from '../page-link.js';

type ReadyRun = NonNullable<Awaited<ReturnType<App['readySummaries']>>['blocked'][number]['run']>;

export async function ready(line: CommandLine, options: { readonly retry: boolean }): Promise<undefined> {
  const { out } = line;
  const active = await checkIfPossible(line, options);
  if (out.isJson) return printJson(line, active);
  const { ready: free, blocked, damaged } = await line.app().readySummaries(active);
  for (const error of damaged) out.warn(error);
  const rows = free.map((issue) => [
    `P${priorityOf(issue) ?? '-'}`,
    `#${issue.number}`,
    typeOf(issue),
    plainLine(issue.title),
    howItGoesOn(issue),
  ]);
  const { width } = listViewOf(line);
  if (rows.length > 0) out.print(table(rows, { width, flexible: 3 }).join('\n'));
  if (blocked.length > 0) {
    out.print(out.paint.alarming('BLOCKED'));
    const lines = blocked.map(({ issue, reason, run }) => [
      '  ',
      `#${issue.number}`,
      typeOf(issue),
      plainLine(issue.title),
      reason,
      howItGoesOn({ run }),
    ]);
    out.print(table(lines, { width, flexible: 3 }).join('\n'));
  }
  if (free.length + blocked.length === 0) out.sayNone(await nothingReady(line));
  else notePageLink(line, { view: 'board' });
  await noteCopy(line);
}

/** For an interrupted run: why it stands still, and the command that goes on with it. */
function howItGoesOn({ run }: { readonly run?: ReadyRun | undefined }): string {
  if (run === undefined) return '';
  const { status, ended, goOn } = run;
  const why = ended.length > 0 ? `${ended.join(', ')} ${ended.length === 1 ? 'has' : 'have'} ended` : status;
  return `${why}, go on: ${goOn}`;
}

async function nothingReady({ app }: CommandLine): Promise<string> {
  const { items } = await app().unfinishedIssues();
  const count = items.filter(({ taskStatus }) => taskStatus === 'in_progress').length;
  if (count > 0) return `Nothing is ready; ${count} in progress. See: agentx issue`;
  return 'Nothing is ready. Create an issue: agentx issue create';
}

async function printJson(
  { app, out }: CommandLine,
  active: Awaited<ReturnType<typeof checkIfPossible>>,
): Promise<undefined> {
  const { ready, blocked, damaged } = await app().readyQueue(active);
  for (const error of damaged) out.warn(error);
  out.json({ ready, blocked });
}
