import { priorityOf, typeOf } from '../../protocol/issue.js';
import { plainLine } from '../../render/plain-text.js';
import { table } from '../../render/table.js';
import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';

export async function ready(line: CommandLine, options: { readonly retry: boolean }): Promise<undefined> {
  const { out } = line;
  await check(line, options);
  const { ready: free, blocked, damaged } = await line.app().readyQueue();
  for (const error of damaged) out.warn(error);
  out.json({ ready: free, blocked });
  const rows = free.map((issue) => [
    `P${priorityOf(issue) ?? '-'}`,
    `#${issue.number}`,
    typeOf(issue),
    plainLine(issue.title),
  ]);
  if (rows.length > 0) out.print(table(rows, out.width));
  if (blocked.length > 0) {
    out.print(out.paint.alarming('BLOCKED'));
    const lines = blocked.map(({ issue, reason }) => [
      '  ',
      `#${issue.number}`,
      typeOf(issue),
      plainLine(issue.title),
      reason,
    ]);
    out.print(table(lines, out.width));
  }
  if (free.length + blocked.length === 0) out.print('Nothing is ready. Create an issue: agentx issue create -t TITLE');
}
