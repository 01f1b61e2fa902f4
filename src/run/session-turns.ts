import type { Brief } from '../protocol/brief.js';
import { makeSessionId } from '../protocol/ids.js';
import type { Session, SessionTurn } from '../protocol/session.js';
import { shorten } from '../protocol/shorten.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import type { Place, RunContext } from './context.js';

const MAX_KEPT_CONTENT = 2000;

/** Writes a turn into its session. Returns the stored one: the first write stands. */
export async function keepTurn(
  { ports, issueNumber, runId }: RunContext,
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
    return { next: { ...open, turns: [...current.turns, sessionTurn] }, result: sessionTurn };
  });
}

/** The prompt says the same as the rest, and artifacts are on the disk. */
export function briefForRecord({ prompt: _, ...brief }: Brief): Omit<Brief, 'prompt'> {
  const artifacts = brief.artifacts.map((artifact) => ({
    ...artifact,
    content: shorten(artifact.content, MAX_KEPT_CONTENT),
  }));
  return { ...brief, artifacts };
}
