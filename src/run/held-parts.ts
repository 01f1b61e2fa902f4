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
  const done = new Set(turns.flatMap(({ acts }) => acts.flatMap(({ act, from }) => (from ? [`${from}/${act}`] : []))));
  const held = turns.flatMap(({ turn, acts }) =>
    acts.flatMap(({ act, held }) => {
      const parsed = held && !done.has(`${turn}/${act}`) ? parseAct(act) : undefined;
      return parsed?.kind === kind ? [{ turn, index: parsed.index }] : [];
    }),
  );
  if (held.length === 0) return [];
  const session = await ports.store.sessions.read(makeSessionId(runId, place.step, place.attempt));
  return held.flatMap(({ turn, index }) => {
    const reply = session?.turns.find((taken) => taken.turn === turn)?.reply;
    return reply === undefined ? [] : [{ turn, index, reply }];
  });
}
