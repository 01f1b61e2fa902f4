import { changeRecord } from '../hub/change-record.js';
import type { HubPorts } from '../hub/ports.js';
import { route } from '../hub/route.js';
import { type ClarificationRecord, type ClarificationStatus, mayRetry } from '../protocol/clarification.js';
import { hasExpired } from './stale.js';

export interface RetryRequest {
  readonly clarificationId: string;
  /** Told, before the target is started, why the command takes its time. */
  readonly announce?: (line: string) => void;
}

export interface RetryResult {
  readonly retried: boolean;
  readonly newStatus: ClarificationStatus;
}

/**
 * Asks the target of a stale clarification once more and waits for what comes of it. Whoever writes the retry into the
 * record starts the target; everybody else finds it retried already.
 */
export async function autoRetry(
  ports: HubPorts,
  { clarificationId, announce = () => {} }: RetryRequest,
): Promise<RetryResult> {
  await expire(ports, clarificationId);
  const { record, effects } = await changeRecord(ports, clarificationId, (current) =>
    isStale(current) && mayRetry(current) ? { type: 'retry', at: ports.clock.now() } : undefined,
  );
  if (effects.length === 0) return { retried: false, newStatus: record.status };
  announce(`${record.id} has waited too long: asking ${record.to} once more...`);
  const { status } = await route(ports, record);
  return { retried: true, newStatus: status };
}

/** The second expiry: a human is asked, unless the answer came after all. */
export async function escalateExpired(ports: HubPorts, clarificationId: string): Promise<void> {
  await expire(ports, clarificationId);
  await changeRecord(ports, clarificationId, (current) =>
    isStale(current) && !mayRetry(current)
      ? { type: 'escalate', at: ports.clock.now(), reason: `${current.to} was asked twice and did not answer in time` }
      : undefined,
  );
}

async function expire(ports: HubPorts, clarificationId: string): Promise<void> {
  const at = ports.clock.now();
  await changeRecord(ports, clarificationId, (current) =>
    hasExpired(current, at) ? { type: 'expire', at } : undefined,
  );
}

function isStale({ status }: ClarificationRecord): boolean {
  return status === 'stale';
}
