import { AgentXError } from '../protocol/errors.js';
import { firstLines } from './first-lines.js';

/** An agent's failure, with the agent's own output on the lines below. */
export function agentError(
  message: string,
  output: string,
  details: Readonly<Record<string, unknown>>,
  options?: ErrorOptions,
): AgentXError {
  const lines = firstLines(output);
  return new AgentXError('AGENT_ERROR', lines === '' ? message : `${message}\n${lines}`, details, options);
}
