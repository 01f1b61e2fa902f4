import type { EventBus } from '../ports/event-bus.js';
import type { Store } from '../ports/store.js';
import type { Memory } from './memory.js';

export interface TranscriptCapture {
  /** Resolves when the sessions that have ended so far are remembered, and no further ones will be. */
  end(): Promise<void>;
}

/**
 * An agent's own program says and does more in a session than its replies tell. When a session of the issue has ended,
 * what the program wrote down of it is remembered too, after the summary, so that what both say is stored once.
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
    const { agent, turns } = session;
    for (const file of new Set(turns.flatMap(({ transcriptFile }) => transcriptFile ?? []))) {
      await memory.capture({ agent, issueNumber, file, sessionId: id, isBriefed: true });
    }
  };
  return {
    end: async () => {
      unsubscribe();
      await capturing;
    },
  };
}
