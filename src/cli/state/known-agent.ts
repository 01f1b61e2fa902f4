import { agentNamesOf } from '../../protocol/config.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseAgentName } from '../../protocol/ids.js';
import type { CommandLine } from '../command-line.js';

/** The agent that a command names. One that the project does not have is a slip, and would be waited for in vain. */
export async function knownAgent(line: CommandLine, value: string): Promise<string> {
  const agent = parseAgentName(value);
  const agents = agentNamesOf(await line.app().config());
  if (agents.includes(agent)) return agent;
  throw new AgentXError(
    'INVALID_INPUT',
    `There is no agent '${agent}'.${didYouMean(agent, agents)} Allowed: ${agents.join(', ')}. ` +
      `To add one, write [agents.${agent}] in .agentx/config.toml.`,
    { agent, allowed: agents },
  );
}

/** ` Did you mean 'engineer'?`, if one of the allowed words is near enough. */
export function didYouMean(word: string, allowed: readonly string[]): string {
  const [nearest] = allowed
    .map((candidate) => ({ candidate, likeness: likeness(word, candidate) }))
    .filter((one) => one.likeness >= 0.5)
    .sort((left, right) => right.likeness - left.likeness);
  return nearest === undefined ? '' : ` Did you mean '${nearest.candidate}'?`;
}

/** Of the pairs of neighbouring letters, ends included, the part that both words have: 0 to 1. */
function likeness(left: string, right: string): number {
  const [pairs, others] = [pairsOf(left), pairsOf(right)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size);
}

function pairsOf(word: string): ReadonlySet<string> {
  const padded = ` ${word} `;
  return new Set(Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2)));
}
