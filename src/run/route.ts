import { type HubResult, requireRecord, resultOf } from '../hub/change-record.js';
import { route } from '../hub/conversation.js';
import type { RoutePorts } from '../hub/ports.js';
import { transcriptOf } from '../hub/target-turn.js';
import type { Store } from '../ports/store.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { RunEvent, RunFact } from '../protocol/run.js';
import { sumOf } from '../protocol/usage.js';
import { type RunContext, recorded } from './context.js';
import type { Action } from './decide.js';

/**
 * Has a round answered. A round that was settled elsewhere meanwhile is settled, and its target broken off; one that
 * another process has answered is waited for. If its target waits for a human, so does the run: the round is routed again when the question has
 * ended.
 */
export async function routeRound(
  { ports, issueNumber }: RunContext<keyof RoutePorts>,
  { clarificationId, round }: Extract<Action, { type: 'route' }>,
): Promise<readonly RunEvent[]> {
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const isKept = clarifications.some(({ id }) => id === clarificationId);
  // A record that a repair could not save will never be answered.
  const stand: Stand = isKept
    ? await routeWhileAsked(ports, { issueNumber, clarificationId, round })
    : { status: 'abandoned', round };
  // A round that another one followed was answered.
  const status = stand.round > round ? 'answered' : stand.status;
  const at = ports.clock.now();
  const [questionId] =
    status === 'escalated' ? [escalationQuestionId(clarificationId, round)] : (stand.waitingOn ?? []);
  const waits = questionId === undefined ? {} : { questionId };
  const usage = await usageOf(ports.store, { issueNumber, clarificationId, round });
  return recorded(at, { type: 'clarification-settled', at, clarificationId, round, status, ...waits, ...usage });
}

interface Round {
  readonly issueNumber: number;
  readonly clarificationId: string;
  readonly round: number;
}

/** A person may answer for a target that takes too long, and a sweep may hand its question to a human. */
async function routeWhileAsked(ports: RoutePorts, { issueNumber, clarificationId, round }: Round): Promise<HubResult> {
  const { store, signal } = ports;
  const read = async () => requireRecord(await store.ledgers.read(issueNumber), clarificationId);
  const over = new AbortController();
  const look = async () => {
    const { status, round: presentRound } = await read();
    if (presentRound !== round || !isAsked(status)) over.abort();
  };
  // If a look fails, the next caller that needs the ledger gets the error.
  const unwatch = store.watch(() => void look().catch(() => {}), { kind: 'clarifications', id: String(issueNumber) });
  try {
    const eitherSignal = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    return await route({ ...ports, signal: eitherSignal }, { clarificationId, round });
  } catch (error) {
    signal?.throwIfAborted();
    if (!over.signal.aborted) throw error;
    return resultOf(await read());
  } finally {
    unwatch();
  }
}

function isAsked(status: string): boolean {
  return status === 'pending' || status === 'stale';
}

/** What the target used for this round, and what those that it asked used for theirs. */
async function usageOf(
  store: Pick<Store, 'ledgers' | 'transcripts'>,
  { issueNumber, clarificationId, round }: Round,
): Promise<Pick<Extract<RunFact, { type: 'clarification-settled' }>, 'usage'>> {
  const { clarifications } = await store.ledgers.read(issueNumber);
  const roundsBelow = (id: string): readonly string[] =>
    clarifications
      .filter(({ within }) => within === id)
      .flatMap((record) => [
        ...Array.from({ length: record.round }, (_, index) => transcriptOf({ id: record.id, round: index + 1 })),
        ...roundsBelow(record.id),
      ]);
  const ids = [transcriptOf({ id: clarificationId, round }), ...roundsBelow(clarificationId)];
  const transcripts = await Promise.all(ids.map((id) => store.transcripts.read(id)));
  const usages = transcripts.flatMap((transcript) => transcript?.usage ?? []);
  return usages.length === 0 ? {} : { usage: sumOf(...usages) };
}

type Stand = Pick<HubResult, 'round' | 'waitingOn'> & { readonly status: string };
