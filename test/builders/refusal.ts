import { AgentXError } from '../../src/protocol/errors.js';

/** The coded error that `attempt` throws; anything else it does fails the test. */
export function refusalOf(attempt: () => unknown): AgentXError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof AgentXError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
