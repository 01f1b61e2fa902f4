import { AgentXError } from '../protocol/errors.js';
import { firstLines } from './first-lines.js';

/** An agent's failure, with what it said about it on the lines below. */
export function agentError(
  message: string,
  said: string,
  details: Readonly<Record<string, unknown>>,
  options?: ErrorOptions,
): AgentXError {
  const lines = firstLines(said);
  return new AgentXError('AGENT_ERROR', lines === '' ? message : `${message}\n${lines}`, details, options);
}
