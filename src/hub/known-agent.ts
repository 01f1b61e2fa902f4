import { suggestion } from '../protocol/did-you-mean.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';

/** Resolves an alias and refuses an agent that the project does not have, with the names that it has. */
export function requireKnownAgent(agents: readonly string[], value: string): string {
  const agent = parseAgentName(value);
  if (agents.includes(agent)) return agent;
  throw new AgentXError('INVALID_INPUT', `There is no agent '${agent}'.${suggestion(agent, agents)}`, {
    agent,
    allowed: agents,
  });
}
