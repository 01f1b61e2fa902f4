import { requireRecord } from '../hub/change-record.js';
import { type HubResult, resultOf } from '../hub/ports.js';
import { routeOnce } from '../hub/route-once.js';
import { parseClarificationId } from '../protocol/ids.js';
import { abortable } from './abortable.js';
import type { RunPorts } from './ports.js';

/**
 * Has the target of a pending clarification answer. Once `signal` says that nobody waits any more, whoever was started is
 * ended and nothing is recorded of it: the clarification stands as it is, and so do the statuses that follow from it.
 */
export async function routeUntil(ports: RunPorts, clarificationId: string, signal: AbortSignal): Promise<HubResult> {
  const { ports: breakable, rest } = abortable(ports, signal);
  const routed = await Promise.race([routeOnce(breakable, { clarificationId }), abortOf(signal)]);
  if (routed !== undefined) return routed;
  await rest();
  const { issueNumber } = parseClarificationId(clarificationId);
  return resultOf(requireRecord(await ports.store.ledgers.read(issueNumber), clarificationId));
}

async function abortOf(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return;
  await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
}
