import type { CommandLine } from './command-line.js';

/** The monitor, as a side effect of commands at the boundaries of work. Its findings are talk, not data. */
export async function check(line: CommandLine, { retry = true }: { readonly retry?: boolean } = {}): Promise<void> {
  const { out } = line;
  const { warnings } = await line.app().runCheck({ retry, announce: (text) => out.note(text) });
  for (const warning of warnings) out.warn(warning);
}
