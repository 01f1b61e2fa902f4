import { isDeepStrictEqual } from 'node:util';
import type { Brief } from '../protocol/brief.js';
import { makeSessionId } from '../protocol/ids.js';
import type { Session, SessionTurn } from '../protocol/session.js';
import { shorten } from '../protocol/shorten.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import type { Place, RunContext } from './context.js';

const MAX_KEPT_CONTENT = 2000;

/** Writes a turn into its session. Returns the stored one: the first write stands. */
export async function keepTurn(
  { ports, issueNumber, runId }: RunContext<'store'>,
  step: WorkflowStep,
  { place, sessionTurn }: { readonly place: Place; readonly sessionTurn: SessionTurn },
): Promise<SessionTurn> {
  const id = makeSessionId(runId, step.id, place.attempt);
  const fresh: Session = {
    id,
    runId,
    agent: step.agent,
    issueNumber,
    step: step.id,
    attempt: place.attempt,
    startedAt: sessionTurn.startedAt,
    turns: [],
  };
  return ports.store.sessions.update<SessionTurn>(id, (current = fresh) => {
    const earlier = current.turns.find(({ turn }) => turn === sessionTurn.turn);
    if (earlier !== undefined) return { next: current, result: earlier };
    // A session that was ended before its run knew of this turn goes on, and is compacted anew with the turn in it.
    const { endedAt: _, compactedAt: __, summary: ___, tokens: ____, ...open } = current;
    const turn = withoutRepetition(sessionTurn, current.turns);
    return { next: { ...open, turns: [...current.turns, turn] }, result: turn };
  });
}

/** These are long, and every brief has them. */
const REPEATED = ['role', 'issue', 'artifacts', 'clarifications', 'answers', 'refused', 'autonomy'];

/** A session is written whole with each turn, so what a brief says like the last one that said it is left out. */
function withoutRepetition(turn: SessionTurn, earlierTurns: readonly SessionTurn[]): SessionTurn {
  if (turn.brief === undefined) return turn;
  const latestParts = new Map<string, unknown>(earlierTurns.flatMap(({ brief = {} }) => Object.entries(brief)));
  const isNew = ([part, value]: [string, unknown]) =>
    !REPEATED.includes(part) || !isDeepStrictEqual(latestParts.get(part), value);
  return { ...turn, brief: Object.fromEntries(Object.entries(turn.brief).filter(isNew)) };
}

/** The prompt says the same as the rest, and artifacts are on the disk. */
export function briefForRecord({ prompt: _, ...brief }: Brief): Omit<Brief, 'prompt'> {
  const artifacts = brief.artifacts.map((artifact) => ({
    ...artifact,
    content: shorten(artifact.content, MAX_KEPT_CONTENT),
  }));
  return { ...brief, artifacts };
}
