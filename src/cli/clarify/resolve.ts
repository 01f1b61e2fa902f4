import { AgentXError } from '../../protocol/errors.js';
import { escalationQuestionId } from '../../protocol/ids.js';
import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { goOn } from '../inbox/go-on.js';
import type { TextOf } from '../text.js';
import { noteEarlier } from './note-earlier.js';
import { actorOf, report } from './report.js';
import { streaming } from './streaming.js';

export interface ResolveOptions {
  readonly text: TextOf;
  readonly retry: boolean;
}

export async function resolve(line: CommandLine, typedId: string, { text, retry }: ResolveOptions) {
  const id = await line.app().findId('clarification', typedId);
  const message = await text(line);
  await check(line, { retry });
  await refuseAgent(line, id);
  const request = { clarificationId: id, body: message, ...actorOf(line) };
  const result = await streaming(line, () => line.app().resolve(request));
  noteEarlier(line, result.record, { type: 'resolution', message });
  const code = report(line, result);
  const { thread, round } = result.record;
  if (line.agent !== undefined || !thread.some(({ type }) => type === 'escalation')) return code;
  return (await goOn(line, { question: { id: escalationQuestionId(id, round) } })) ?? code;
}

/** An escalated clarification waits for a human, not for the agent that asked. */
async function refuseAgent(line: CommandLine, id: string): Promise<void> {
  const { agent } = line;
  if (agent === undefined || (await line.app().showClarification(id)).status !== 'escalated') return;
  throw new AgentXError(
    'UNAUTHORIZED',
    `Agent '${agent}' may not resolve ${id}: it is escalated and waits for a human.`,
    {
      clarificationId: id,
      agent,
    },
  );
}
