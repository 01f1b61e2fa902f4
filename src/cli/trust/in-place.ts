import type { CommandLine } from '../command-line.js';
import { canConfirm } from '../confirm.js';

/**
 * Asks a person at a terminal to approve the programs of this repository, before anything starts. False if they say no.
 * If no person can be asked, starting a program is refused later.
 */
export async function approvesPrograms(line: CommandLine): Promise<boolean> {
  const { out, agent } = line;
  const canBeAsked = canConfirm(out) && agent === undefined;
  if (!canBeAsked || (await line.app().programs()).isApproved) return true;
  return (await (await import('./trust.js')).trust(line, { yes: false })) === undefined;
}
