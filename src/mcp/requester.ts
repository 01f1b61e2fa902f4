import type { Call } from './call.js';
import { askerOf } from './caller.js';

/**
 * In whose name a client goes on with a clarification. A client that was not started as an agent asked in the name of
 * one, and need not repeat it.
 */
export async function requesterOf({ app, caller }: Call, id: string, from?: string): Promise<string> {
  const { agent, isGuest } = askerOf(caller, from);
  return isGuest ? (await app.showClarification(id)).from : agent;
}
