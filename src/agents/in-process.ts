import type { Runner, RunnerFunction } from '../ports/runner.js';
import { AgentXError, isStoreFailure, messageOf } from '../protocol/errors.js';
import { parseWith } from '../protocol/parse.js';
import { Reply } from '../protocol/reply.js';
import { parseReply } from './parse-reply.js';

/** An agent that is a function of this program. Text that it returns is read like what a program prints. */
export function inProcessRunner(given: RunnerFunction): Runner {
  return {
    run: async (brief, turn = {}) => {
      const who = `Agent '${brief.agent}'`;
      const said = await Promise.resolve()
        .then(() => given(brief, turn))
        .catch((error: unknown) => {
          turn.signal?.throwIfAborted();
          if (isStoreFailure(error)) throw error;
          throw new AgentXError('AGENT_ERROR', `${who} failed: ${messageOf(error)}`, {}, { cause: error });
        });
      return typeof said === 'string' ? parseReply(said, { who }) : parseWith(Reply, said, `The reply of ${who}`);
    },
  };
}
