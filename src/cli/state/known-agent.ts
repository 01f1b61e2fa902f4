import { agentNamesOf } from '../../protocol/config.js';
import { suggestion } from '../../protocol/did-you-mean.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseAgentName, RESERVED_NAMES } from '../../protocol/ids.js';
import type { CommandLine } from '../command-line.js';

/** The agent that a command names. An unknown name is a typing error: waiting for it would be in vain. */
export async function knownAgent(line: CommandLine, value: string): Promise<string> {
  const agent = parseAgentName(value);
  const agents = agentNamesOf(await line.app().config());
  if (agents.includes(agent)) return agent;
  const advice = RESERVED_NAMES.includes(agent) ? '' : ` To add one, write [agents.${agent}] in .agentx/config.toml.`;
  throw new AgentXError('INVALID_INPUT', `There is no agent '${agent}'.${suggestion(agent, agents)}${advice}`, {
    agent,
    allowed: agents,
  });
}
