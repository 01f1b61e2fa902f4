import type { App } from '../../app/app.js';
import { HUMAN } from '../../protocol/ids.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

type HubResult = Awaited<ReturnType<App['ask']>>;

const WAITING_FOR_A_HUMAN = 3;

/** The state of a clarification after a verb: data for programs, the next step for people, the exit code for both. */
export function report(line: CommandLine, result: HubResult): number | undefined {
  const { out } = line;
  const { clarificationId, status, round, answer, record, waitingOn = [] } = result;
  const waits = waitingOn.length > 0 ? { waitingOn } : {};
  out.json({ clarificationId, status, round, ...(answer === undefined ? {} : { answer }), ...waits });
  if (!out.isJson) {
    out.note(`${clarificationId} is ${status} (round ${round}/${record.maxRounds}).`);
    for (const id of waitingOn) {
      out.note(`A human has to answer first: agentx inbox show ${id}`);
      notePageLink(line, { view: 'inbox', id });
    }
    if (status === 'pending') out.note(`The answer comes later. See it: agentx clarify show ${clarificationId}`);
    if (status === 'answered') {
      out.note(`Settle it: agentx clarify resolve ${clarificationId}`);
      out.note(`Ask on: agentx clarify follow-up ${clarificationId}`);
    }
  }
  return status === 'escalated' || waitingOn.length > 0 ? WAITING_FOR_A_HUMAN : undefined;
}

/** The actor: the agent that we started, else the person at the keyboard, whose name the thread keeps. */
export function actorOf({ agent, principal }: CommandLine): { readonly by: string; readonly principal?: string } {
  return agent === undefined ? { by: HUMAN, principal } : { by: agent };
}
