import type { Runner } from '../ports/runner.js';
import { AgentXError } from '../protocol/errors.js';

export interface HumanRunner extends Runner {
  readonly isHuman: true;
}

/** An agent that is a person. A person is asked through the inbox; running this is always a failure. */
export function humanRunner(): HumanRunner {
  return { isHuman: true, run };
}

export function isHuman(runner: Runner): runner is HumanRunner {
  return 'isHuman' in runner && runner.isHuman === true;
}

async function run({ agent }: { readonly agent: string }): Promise<never> {
  throw new AgentXError('AGENT_ERROR', `Agent '${agent}' waits for a human: ask through the inbox.`, { agent });
}
