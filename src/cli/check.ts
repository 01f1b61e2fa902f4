import type { App } from '../app/app.js';
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
