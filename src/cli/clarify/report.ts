import type { App } from '../../app/create-app.js';
import { HUMAN } from '../../protocol/ids.js';
import type { CommandLine } from '../command-line.js';

type HubResult = Awaited<ReturnType<App['ask']>>;

const WAITING_FOR_A_HUMAN = 3;

/** Where a clarification stands after a verb: data for programs, the next step for people, the exit code for both. */
export function report({ out }: CommandLine, result: HubResult): number | undefined {
  const { clarificationId, status, round, answer, record } = result;
  out.json({ clarificationId, status, round, ...(answer === undefined ? {} : { answer }) });
  if (!out.isJson) {
    out.note(`${clarificationId} is ${status} (round ${round}/${record.maxRounds}).`);
    if (status === 'pending') out.note(`The answer comes later. See it: agentx clarify show ${clarificationId}`);
    if (status === 'answered') {
      out.note(`Next: agentx clarify resolve ${clarificationId} -m TEXT, or follow-up ${clarificationId} -q TEXT`);
    }
  }
  return status === 'escalated' ? WAITING_FOR_A_HUMAN : undefined;
}

/** Whoever acts: the agent that we started, else the person at the keyboard. */
export function actorOf({ agent }: CommandLine): string {
  return agent ?? HUMAN;
}
