import { changeRecord } from '../hub/change-record.js';
import { claimRoute, converse } from '../hub/conversation.js';
import { handingOver } from '../hub/people.js';
import type { AskPorts, RecordPorts, RoutePorts } from '../hub/ports.js';
import { type ClarificationRecord, type ClarificationStatus, hasExpired, mayRetry } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { DEFAULT_SLA_MINUTES } from '../protocol/limits.js';
import { addMinutes, isBefore } from '../protocol/timestamp.js';

export interface RetryRequest {
  readonly clarificationId: string;
  /** Called before the target starts, with why the command takes its time. */
  readonly announce?: (line: string) => void;
}

export interface RetryResult {
  readonly retried: boolean;
  readonly newStatus: ClarificationStatus;
}

/**
 * Asks the target of a stale clarification once more and waits for the result. The process that writes the retry into
 * the record starts the target; the others find it retried already.
 */
export async function autoRetry(
  ports: RoutePorts,
  { clarificationId, announce = () => {} }: RetryRequest,
): Promise<RetryResult> {
  const lateRecord = await expire(ports, clarificationId);
  const hindrance = isStale(lateRecord) ? hindranceOf(ports, lateRecord.to) : undefined;
  if (hindrance !== undefined) return leaveStale(ports, lateRecord, hindrance);
  const { record, effects } = await changeRecord(ports, clarificationId, (current) => {
    if (!isStale(current) || !mayRetry(current)) return undefined;
    return [{ type: 'retry', at: ports.clock.now() }, ...handingOver(ports, current.to)];
  });
  if (effects.length === 0 || record.status === 'escalated') return { retried: false, newStatus: record.status };
  announce(`${record.id} has waited too long: asking ${record.to} once more...`);
  // The process that asked the first time may still be waiting in vain: that does not prevent the retry.
  const claim = await claimRoute(ports, record.id);
  try {
    const { status } = await converse(ports, record);
    return { retried: true, newStatus: status };
  } finally {
    await claim?.release();
  }
}

/** The second expiry: a human is asked, unless the answer came after all. */
export async function escalateExpired(ports: RecordPorts, clarificationId: string): Promise<void> {
  await expire(ports, clarificationId);
  await changeRecord(ports, clarificationId, (current) =>
    isStale(current) && !mayRetry(current)
      ? { type: 'escalate', at: ports.clock.now(), reason: `${current.to} was asked twice and did not answer in time` }
      : undefined,
  );
}

async function expire(ports: RecordPorts, clarificationId: string): Promise<ClarificationRecord> {
  const at = ports.clock.now();
  const { record } = await changeRecord(ports, clarificationId, (current) =>
    hasExpired(current, at) ? { type: 'expire', at } : undefined,
  );
  return record;
}

/** Why a target cannot be started: its program is not approved, or its settings are wrong. */
function hindranceOf({ runnerFor }: Pick<AskPorts, 'runnerFor'>, agent: string): AgentXError | undefined {
  try {
    runnerFor(agent);
    return undefined;
  } catch (error) {
    if (error instanceof AgentXError) return error;
    throw error;
  }
}

/**
 * As with an ask: a target that cannot be started is a mistake in the settings, and costs no retry. Every sweep reports
 * the mistake until the time of the retry would be over; then a human is asked.
 */
async function leaveStale(
  ports: RecordPorts,
  lateRecord: ClarificationRecord,
  hindrance: AgentXError,
): Promise<RetryResult> {
  const at = ports.clock.now();
  if (isBefore(at, secondExpiryOf(lateRecord))) throw hindrance;
  const reason = `${lateRecord.to} did not answer in time and could not be asked again: ${hindrance.message}`;
  const { record } = await changeRecord(ports, lateRecord.id, (current) =>
    isStale(current) ? { type: 'escalate', at, reason } : undefined,
  );
  return { retried: false, newStatus: record.status };
}

/** Another program may have called it stale without writing down when. */
function secondExpiryOf({ expiredAt, staleAfter, slaMinutes = DEFAULT_SLA_MINUTES }: ClarificationRecord): string {
  return addMinutes(expiredAt?.at(-1) ?? staleAfter, slaMinutes);
}

function isStale({ status }: ClarificationRecord): boolean {
  return status === 'stale';
}
