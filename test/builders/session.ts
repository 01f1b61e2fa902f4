import type { Session, SessionTurn } from '../../src/protocol/session.js';

/** The engineer implements #42; one turn in which it said nothing of note. */
export function aSession(fields: Partial<Session> = {}): Session {
  return {
    id: 'run-42-1a2b3c4d.implement.1',
    runId: 'run-42-1a2b3c4d',
    agent: 'engineer',
    issueNumber: 42,
    step: 'implement',
    attempt: 1,
    startedAt: '2026-02-26T10:00:00.000Z',
    turns: [aTurn()],
    ...fields,
  };
}

export function aTurn(fields: Partial<SessionTurn> = {}): SessionTurn {
  return {
    turn: 1,
    startedAt: '2026-02-26T10:00:00.000Z',
    endedAt: '2026-02-26T10:01:00.000Z',
    reply: { status: 'done' },
    ...fields,
  };
}
