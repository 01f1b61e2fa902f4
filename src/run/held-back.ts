import { makeSessionId } from '../protocol/ids.js';
import { parseAct } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import { saysTheSame, similarity, wordsOf } from '../protocol/similarity.js';
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

type Draft = NonNullable<Reply['issues']>[number];

interface HeldIssue {
  readonly turn: number;
  readonly index: number;
  readonly draft: Draft;
}

/** The issues that were not created while the questions of their own reply were open. */
export async function heldIssues(
  context: RunContext,
  carrying: { readonly place: Place },
): Promise<readonly HeldIssue[]> {
  return (await heldParts(context, carrying, 'issue')).flatMap(({ turn, index, reply: { issues = [] } }) => {
    const draft = issues[index];
    return draft === undefined ? [] : [{ turn, index, draft }];
  });
}

/**
 * A draft that the agent wrote anew after the answer replaces the held one that it resembles most, so that a new title
 * makes no second issue.
 */
export function stillWanted<Held extends { readonly draft: Draft }>(
  held: readonly Held[],
  anew: readonly Draft[],
): readonly Held[] {
  const remaining = [...held];
  for (const draft of anew) {
    const [best] = remaining
      .map((one) => ({ one, resemblance: resemblanceOf(one.draft, draft) }))
      .filter(({ resemblance }) => resemblance > 0)
      .toSorted((a, b) => b.resemblance - a.resemblance);
    if (best !== undefined) remaining.splice(remaining.indexOf(best.one), 1);
  }
  return remaining;
}

/**
 * One title contains the other, "Billing" and "Billing in euros", or the bodies say the same. Two issues are better
 * than none.
 */
function resemblanceOf(left: Draft, right: Draft): number {
  const { body = '' } = left;
  if (body.trim() !== '' && saysTheSame(body, right.body ?? '')) return 1;
  const [fewer, more] = [wordsOf(left.title), wordsOf(right.title)].toSorted((a, b) => a.size - b.size);
  const isWithin = [...(fewer ?? [])].every((word) => more?.has(word));
  return isWithin ? similarity(left.title, right.title) : 0;
}
