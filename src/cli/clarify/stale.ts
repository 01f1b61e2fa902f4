import { renderClarificationList } from '../../render/clarification-list.js';
import type { CommandLine } from '../command-line.js';
import { listViewOf } from './view.js';

/** What the monitor finds stale or stuck, after its check. */
export async function stale(line: CommandLine, { retry }: { readonly retry: boolean }): Promise<undefined> {
  const { out } = line;
  const findings = await line.app().runCheck({ retry, announce: (text) => out.note(text) });
  for (const warning of findings.warnings) out.warn(warning);
  const clarifications = [
    ...new Map(
      [...findings.stale, ...findings.stuck].map(({ issueNumber, record }) => [record.id, { ...record, issueNumber }]),
    ).values(),
  ];
  out.json({ clarifications });
  if (clarifications.length === 0) out.sayNone('Nothing is stale or stuck.');
  else out.print(renderClarificationList(clarifications, listViewOf(line)));
}
