import { parseAgentName } from '../protocol/ids.js';
import { roleInstructions, SHIPPED_AGENTS } from '../workflow/shipped/agents.js';
import { openRoles } from './roles.js';

/** The instructions of an agent: its file, else the shipped ones; undefined if it has neither. */
export async function roleOf(root: string, agent: string): Promise<string | undefined> {
  const shippedName = SHIPPED_AGENTS.find((name) => name === parseAgentName(agent));
  return (
    (await openRoles({ root }).of(agent)) ?? (shippedName === undefined ? undefined : roleInstructions(shippedName))
  );
}
