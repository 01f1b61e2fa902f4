import type { Runner, RunnerFunction } from '../ports/runner.js';
import { AgentXError, isStoreFailure, messageOf } from '../protocol/errors.js';
import { parseWith } from '../protocol/parse.js';
import { Reply } from '../protocol/reply.js';

/** An agent that is a function of this program. Returned text is parsed like the output of a program. */
export function inProcessRunner(work: RunnerFunction): Runner {
  return {
    run: async (brief, turn = {}) => {
      const who = `Agent '${brief.agent}'`;
      const output = await Promise.resolve()
        .then(() => work(brief, turn))
        .catch((error: unknown) => {
          turn.signal?.throwIfAborted();
          if (isStoreFailure(error)) throw error;
          throw new AgentXError('AGENT_ERROR', `${who} failed: ${messageOf(error)}`, {}, { cause: error });
        });
      if (typeof output !== 'string') return parseWith(Reply, output, `The reply of ${who}`);
      const { parseReply } = await import('./parse-reply.js');
      return parseReply(output, { who });
    },
  };
}
