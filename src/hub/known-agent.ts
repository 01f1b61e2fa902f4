import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';

/** Resolves an alias and refuses an agent that the project does not have, with the names that it has. */
export function requireKnownAgent(agents: readonly string[], value: string): string {
  const agent = parseAgentName(value);
  if (agents.includes(agent)) return agent;
  const likely = agents.find((known) => editDistance(known, agent) <= MAX_TYPOS);
  const hint = likely === undefined ? '' : ` Did you mean '${likely}'?`;
  throw new AgentXError(
    'INVALID_INPUT',
    `There is no agent '${agent}'.${hint} Allowed: ${agents.length > 0 ? agents.join(', ') : 'none is configured'}.`,
    { agent, allowed: agents, ...(likely === undefined ? {} : { didYouMean: likely }) },
  );
}

const MAX_TYPOS = 2;

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
