import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { requireRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { route } from './route.js';

/** How often a record that another process has answered is looked at. */
const LOOK_EVERY_MS = 300;

export interface RouteRequest {
  readonly clarificationId: string;
  /** The round that is to be answered; without it, whichever is asked. */
  readonly round?: number;
}

/**
 * Has the target of a clarification answer, unless another live process does so already: then what that one brings is
 * waited for. One whose process died is taken over at once. What nobody is asked any more needs nobody.
 */
export async function routeOnce(ports: HubPorts, { clarificationId, round }: RouteRequest): Promise<HubResult> {
  const isAsked = ({ status, round: present }: ClarificationRecord) =>
    (status === 'pending' || status === 'stale') && present === (round ?? present);
  for (;;) {
    const present = await read(ports, clarificationId);
    if (!isAsked(present)) return resultOf(present);
    const claim = await ports.store.ledgers.claim(clarificationId);
    if (claim === undefined) {
      await ports.clock.sleep(LOOK_EVERY_MS);
      continue;
    }
    try {
      // Whoever had the claim before may have brought the answer.
      const record = await read(ports, clarificationId);
      return isAsked(record) ? await route(ports, record) : resultOf(record);
    } finally {
      claim.release();
    }
  }
}

async function read({ store }: HubPorts, id: string): Promise<ClarificationRecord> {
  return requireRecord(await store.ledgers.read(parseClarificationId(id).issueNumber), id);
}
