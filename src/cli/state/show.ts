import { renderStatuses } from '../../render/status.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

/** Reads only: the monitor is for commands at the boundaries of work. */
export async function show(line: CommandLine): Promise<undefined> {
  const { out } = line;
  const app = line.app();
  const { agents: statuses, damaged } = await app.whoIsAtWhat();
  for (const error of damaged) out.warn(error);
  out.json(statuses);
  if (Object.keys(statuses).length === 0) {
    out.sayNone('All agents are idle: none has worked yet.');
    out.note('See what can be worked on: agentx ready');
    return;
  }
  const { width, paint, ...timing } = listViewOf(line);
  notePageLink(line, { view: 'board' });
  out.print(renderStatuses(statuses, { width, paint, timing }));
}
