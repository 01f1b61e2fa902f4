import { AgentXError } from '../../protocol/errors.js';
import { parseClarificationId } from '../../protocol/ids.js';
import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { actorOf, report } from './report.js';
import { requireRecord } from './require-record.js';
import { streaming } from './streaming.js';

export interface ResolveOptions {
  readonly message: string;
  readonly retry: boolean;
}

export async function resolve(line: CommandLine, id: string, { message, retry }: ResolveOptions) {
  parseClarificationId(id);
  await check(line, { retry });
  await refuseAgent(line, id);
  const request = { clarificationId: id, body: message, ...actorOf(line) };
  return report(line, await streaming(line, () => line.app().resolve(request)));
}

/** What is escalated waits for a human, not for the agent that asked. */
async function refuseAgent(line: CommandLine, id: string): Promise<void> {
  const { agent } = line;
  if (agent === undefined || (await requireRecord(line.app(), id)).status !== 'escalated') return;
  throw new AgentXError(
    'UNAUTHORIZED',
    `Agent '${agent}' may not resolve ${id}: it is escalated and waits for a human.`,
    {
      clarificationId: id,
      agent,
    },
  );
}
