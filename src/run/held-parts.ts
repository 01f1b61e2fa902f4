import { makeSessionId } from '../protocol/ids.js';
import { parseAct } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import type { Place, RunContext } from './context.js';
import { turnsOf } from './history.js';

export interface HeldPart {
  readonly turn: number;
  readonly index: number;
  readonly reply: Reply;
}

/**
 * Parts of earlier replies of this attempt that were held back while their questions were open, and are still to be
 * done. Those questions have ended, because the step waited for them.
 */
export async function heldParts(
  { ports, run, runId }: RunContext,
  { place }: { readonly place: Place },
  kind: 'artifact' | 'issue',
): Promise<readonly HeldPart[]> {
  const turns = turnsOf(run(), place.step).filter(({ turn }) => turn < place.turn);
  const doneActs = new Set(
    turns.flatMap(({ acts }) => acts.flatMap(({ act, from }) => (from ? [`${from}/${act}`] : []))),
  );
  const heldActs = turns.flatMap(({ turn, acts }) =>
    acts.flatMap(({ act, held }) => {
      const parsed = held && !doneActs.has(`${turn}/${act}`) ? parseAct(act) : undefined;
      return parsed?.kind === kind ? [{ turn, index: parsed.index }] : [];
    }),
  );
  if (heldActs.length === 0) return [];
  const session = await ports.store.sessions.read(makeSessionId(runId, place.step, place.attempt));
  return heldActs.flatMap(({ turn, index }) => {
    const reply = session?.turns.find((candidate) => candidate.turn === turn)?.reply;
    return reply === undefined ? [] : [{ turn, index, reply }];
  });
}
