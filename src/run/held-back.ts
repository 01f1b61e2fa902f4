import { makeSessionId } from '../protocol/ids.js';
import { parseAct } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import { saysTheSame, similarity, wordsOf } from '../protocol/similarity.js';
import type { Place, RunContext } from './context.js';
import { turnsOf } from './history.js';

type Draft = NonNullable<Reply['issues']>[number];
type Written = NonNullable<Reply['artifacts']>[number];

/** A part of an earlier reply: the turn that gave the reply, and the place of the part in it. */
interface Held {
  readonly turn: number;
  readonly index: number;
}

export interface HeldArtifact extends Held {
  readonly reply: Reply;
  readonly artifact: Written;
}

interface HeldIssue extends Held {
  readonly draft: Draft;
}

export interface HeldParts {
  readonly artifacts: readonly HeldArtifact[];
  readonly issues: readonly HeldIssue[];
}

const NOTHING_HELD: HeldParts = { artifacts: [], issues: [] };

/**
 * Parts of earlier replies of this attempt that were held back while their questions were open, and are still to be
 * done. Those questions have ended, because the step waited for them.
 */
export async function heldParts({ ports, journal, runId }: RunContext<'store'>, place: Place): Promise<HeldParts> {
  const turns = turnsOf(journal.run, place.step).filter(({ turn }) => turn < place.turn);
  const doneActs = new Set(
    turns.flatMap(({ acts }) => acts.flatMap(({ act, from }) => (from ? [`${from}/${act}`] : []))),
  );
  const heldActs = turns.flatMap(({ turn, acts }) =>
    acts.flatMap(({ act, held }) => {
      const parsedAct = held && !doneActs.has(`${turn}/${act}`) ? parseAct(act) : undefined;
      return parsedAct === undefined ? [] : [{ turn, ...parsedAct }];
    }),
  );
  if (heldActs.length === 0) return NOTHING_HELD;
  const session = await ports.store.sessions.read(makeSessionId(runId, place.step, place.attempt));
  const artifacts: HeldArtifact[] = [];
  const issues: HeldIssue[] = [];
  for (const { turn, kind, index } of heldActs) {
    const reply = session?.turns.find((candidate) => candidate.turn === turn)?.reply;
    const artifact = kind === 'artifact' ? reply?.artifacts?.[index] : undefined;
    const draft = kind === 'issue' ? reply?.issues?.[index] : undefined;
    if (reply !== undefined && artifact !== undefined) artifacts.push({ turn, index, reply, artifact });
    if (draft !== undefined) issues.push({ turn, index, draft });
  }
  return { artifacts, issues };
}

/**
 * A draft that the agent wrote anew after the answer replaces the held one that it resembles most, so that a new title
 * makes no second issue.
 */
export function stillWanted<Held extends { readonly draft: Draft }>(
  heldDrafts: readonly Held[],
  newDrafts: readonly Draft[],
): readonly Held[] {
  const remainingDrafts = [...heldDrafts];
  for (const draft of newDrafts) {
    const [best] = remainingDrafts
      .map((one) => ({ one, resemblance: resemblanceOf(one.draft, draft) }))
      .filter(({ resemblance }) => resemblance > 0)
      .toSorted((a, b) => b.resemblance - a.resemblance);
    if (best !== undefined) remainingDrafts.splice(remainingDrafts.indexOf(best.one), 1);
  }
  return remainingDrafts;
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
