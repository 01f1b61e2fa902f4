import type { App } from '../../app/create-app.js';
import type { ClarificationRecord } from '../../protocol/clarification.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseClarificationId } from '../../protocol/ids.js';

/**
 * The record as it is stored now; NOT_FOUND if its issue has no such clarification. Verbs call this before the monitor
 * runs, so that the error about a mistyped id comes alone.
 */
export async function requireRecord({ store }: App, clarificationId: string): Promise<ClarificationRecord> {
  const { issueNumber } = parseClarificationId(clarificationId);
  const { clarifications } = await store.ledgers.read(issueNumber);
  const record = clarifications.find(({ id }) => id === clarificationId);
  if (record !== undefined) return record;
  throw new AgentXError('NOT_FOUND', `There is no clarification ${clarificationId}.`, {
    clarificationId,
    issueNumber,
  });
}
