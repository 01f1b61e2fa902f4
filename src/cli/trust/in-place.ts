import type { CommandLine } from '../command-line.js';

/**
 * A person at a terminal who has not approved the programs of this repository yet is asked to, before anything starts.
 * False if they say no; where nobody can be asked, what would start a program refuses by itself.
 */
export async function approvesPrograms(line: CommandLine): Promise<boolean> {
  const { out, agent } = line;
  const canBeAsked = out.isTerminal && process.stdin.isTTY === true && !out.isJson && agent === undefined;
  if (!canBeAsked || (await line.app().programs()).isApproved) return true;
  return (await (await import('./trust.js')).trust(line, { yes: false })) === undefined;
}
