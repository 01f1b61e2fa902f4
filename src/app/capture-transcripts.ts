import type { EventBus } from '../ports/event-bus.js';
import type { Store } from '../ports/store.js';
import type { Session } from '../protocol/session.js';
import type { Memory } from './memory.js';

export interface TranscriptCapture {
  /** Resolves when the sessions that have ended so far are remembered, and no further ones will be. */
  end(): Promise<void>;
}

/**
 * An agent's own program says and does more in a session than its replies tell. When a session of the issue has ended,
 * the program's own transcript is remembered too. The summary comes first, so that what both say is stored once.
 */
export function captureTranscripts(
  { bus, store }: { readonly bus: EventBus; readonly store: Pick<Store, 'sessions'> },
  memory: Memory,
  issueNumber: number,
): TranscriptCapture {
  let capturing: Promise<unknown> = Promise.resolve();
  const unsubscribe = bus.on('context-compacted', (payload) => {
    if (payload.issueNumber !== issueNumber) return;
    capturing = capturing.then(() => captureSession(payload.sessionId));
  });
  const captureSession = async (id: string): Promise<void> => {
    const session = await store.sessions.read(id).catch(() => undefined);
    // A conversation that only became too long for its window goes on.
    if (session?.compactedAt === undefined) return;
    await memory.pipeline.idle();
    await captureFiles(memory, session);
  };
  return {
    end: async () => {
      unsubscribe();
      await capturing;
    },
  };
}

/**
 * Remembers what a process that died had compacted and not remembered yet. An observation names the session that it is
 * from; what is stored already is stored once. To be called before the run is claimed.
 */
export async function captureLost(
  { store }: { readonly store: Pick<Store, 'heldBy' | 'runs' | 'sessions' | 'observations'> },
  memory: Memory,
  issueNumber: number,
): Promise<void> {
  if ((await store.heldBy({ run: issueNumber })) !== 'dead') return;
  const run = await store.runs.read(issueNumber);
  const { items } = await store.sessions.list({ issue: issueNumber });
  const storedObservations = await store.observations.getByIssue(issueNumber);
  const sources = new Set(storedObservations.map(({ source }) => `${source?.kind} ${source?.id}`));
  for (const session of items) {
    const { id, agent, runId, compactedAt, tokens = 0, summary = '' } = session;
    if (compactedAt === undefined || runId !== run?.id) continue;
    if (!sources.has(`session ${id}`))
      await memory.pipeline.capture({ agent, issueNumber, sessionId: id, originalTokens: tokens, summary });
    if (!sources.has(`transcript ${id}`)) await captureFiles(memory, session);
  }
}

async function captureFiles(memory: Memory, { id, agent, issueNumber, turns }: Session): Promise<void> {
  for (const file of new Set(turns.flatMap(({ transcriptFile }) => transcriptFile ?? []))) {
    await memory.capture({ agent, issueNumber, file, sessionId: id, isBriefed: true });
  }
}
