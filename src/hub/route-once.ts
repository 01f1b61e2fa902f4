import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { logged, requireRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { type Routing, route } from './route.js';

/** How often a record that another process has answered is looked at. */
const LOOK_EVERY_MS = 300;

export interface RouteRequest extends Routing {
  readonly clarificationId: string;
  /** The round that is to be answered; without it, whichever is asked. */
  readonly round?: number;
}

/**
 * Has the target of a clarification answer, unless another live process does so already: then what that one brings is
 * waited for. One whose process died is taken over at once. What nobody is asked any more needs nobody.
 */
export async function routeOnce(
  ports: HubPorts,
  { clarificationId, round, whileAtWork = async () => {}, seen = {} }: RouteRequest,
): Promise<HubResult> {
  const { issueNumber } = parseClarificationId(clarificationId);
  const isAsked = ({ status, round: present }: ClarificationRecord) =>
    (status === 'pending' || status === 'stale') && present === (round ?? present);
  for (;;) {
    const claim = await ports.store.ledgers.claim(clarificationId);
    try {
      // Only now: whoever had the claim before may have brought the answer.
      const { record, clarifications } = await logged(ports, { clarificationId, issueNumber }, async () => {
        const ledger = await ports.store.ledgers.read(issueNumber);
        return { record: requireRecord(ledger, clarificationId), clarifications: ledger.clarifications };
      });
      if (!isAsked(record)) return resultOf(record);
      if (claim !== undefined) return await route(ports, record, { whileAtWork, seen: { ...seen, clarifications } });
    } finally {
      claim?.release();
    }
    await whileAtWork();
    await ports.clock.sleep(LOOK_EVERY_MS);
  }
}
