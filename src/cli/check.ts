import type { App } from '../app/app.js';
import { AgentXError } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { CommandLine } from './command-line.js';

export type Active = Awaited<ReturnType<App['runCheck']>>['active'];

/**
 * Runs the monitor as a side effect of commands at the boundaries of work. Its findings are notes, not data. Returns
 * the active clarifications that it saw, for callers that show them.
 */
export async function check(line: CommandLine, { retry = true }: { readonly retry?: boolean } = {}): Promise<Active> {
  const { out } = line;
  const { warnings, active } = await line.app().runCheck({ retry, announce: (text) => out.note(text) });
  for (const warning of warnings) out.warn(warning);
  return active;
}

/** The same for commands that only show: while the settings keep the monitor from acting, they show what is there. */
export async function checkIfPossible(line: CommandLine, options: { readonly retry?: boolean } = {}): Promise<Active> {
  try {
    return await check(line, options);
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'CONFIG_ERROR') throw error;
    const { items, damaged } = await line.app().clarifications('active');
    for (const problem of [error, ...damaged]) line.out.warn(problem);
    return items.map((record) => ({ issueNumber: parseClarificationId(record.id).issueNumber, record }));
  }
}
