import type { Call } from './call.js';
import { askerOf } from './caller.js';

/**
 * The agent in whose name a client goes on with a clarification. A client that was not started as an agent has named
 * one when it asked, and need not repeat it.
 */
export async function requesterOf({ app, caller }: Call, id: string, from?: string): Promise<string> {
  const { agent, isGuest } = askerOf(caller, from);
  return isGuest ? (await app.showClarification(id)).from : agent;
}
