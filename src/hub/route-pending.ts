import { parseClarificationId } from '../protocol/ids.js';
import { logged, requireRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { route } from './route.js';

/** Routes what was opened without waiting for its target. What is not pending any more needs nobody. */
export async function routePending(ports: HubPorts, clarificationId: string): Promise<HubResult> {
  const { issueNumber } = parseClarificationId(clarificationId);
  return logged(ports, { clarificationId, issueNumber }, async () => {
    const ledger = await ports.store.ledgers.read(issueNumber);
    const record = requireRecord(ledger, clarificationId);
    const seen = { clarifications: ledger.clarifications };
    return record.status === 'pending' ? route(ports, record, { seen }) : resultOf(record);
  });
}
