import type { BasePorts } from '../hub/ports.js';
import { AgentXError } from '../protocol/errors.js';
import type { ActResult, JournalEntry, Run } from '../protocol/run.js';
import type { Session } from '../protocol/session.js';
import { summaryText } from '../protocol/session-summary.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { estimateTokens } from '../protocol/tokens.js';
import { compactSession, type SessionRecords } from './compact.js';

export type SessionPorts = Pick<BasePorts, 'store' | 'bus' | 'clock'>;

/**
 * Ends a session and compacts it. It is compacted once, by the first process that comes, and that one emits the event
 * when the summary is written; the summary stays with the session for all others. Pass `run` if it knows more than is
 * written yet.
 */
export async function endSession(
  ports: SessionPorts,
  sessionId: string,
  run?: Pick<Run, 'id' | 'journal'>,
): Promise<Session> {
  const { store, bus, clock } = ports;
  const storedSession = await store.sessions.read(sessionId);
  if (storedSession === undefined) throw missing(sessionId);
  if (storedSession.compactedAt !== undefined) return storedSession;
  const records = await recordsOf(ports, storedSession, run);
  const at = clock.now();
  const { session, isNew } = await store.sessions.update(sessionId, (current) => {
    if (current === undefined) throw missing(sessionId);
    if (current.compactedAt !== undefined) return { next: current, result: { session: current, isNew: false } };
    const next = compacted({ ...records, session: current }, at);
    return { next, result: { session: next, isNew: true } };
  });
  if (isNew) {
    bus.emit('context-compacted', {
      agent: session.agent,
      issueNumber: session.issueNumber,
      sessionId,
      originalTokens: session.tokens ?? 0,
      compactedTokens: estimateTokens(session.summary ?? ''),
      summary: session.summary ?? '',
      timestamp: toEpochMs(at),
    });
  }
  return session;
}

/** The tokens of everything that an agent was told and said in a session. */
function sessionTokens({ turns }: Pick<Session, 'turns'>): number {
  return turns.reduce((sum, { promptTokens, brief, reply, error }) => {
    const briefTokens = promptTokens ?? (brief === undefined ? 0 : estimateTokens(JSON.stringify(brief)));
    const replyTokens = reply === undefined ? estimateTokens(error ?? '') : estimateTokens(JSON.stringify(reply));
    return sum + briefTokens + replyTokens;
  }, 0);
}

function compacted(records: SessionRecords, at: string): Session {
  const { session } = records;
  const summary = summaryText(compactSession(records));
  return { ...session, endedAt: session.endedAt ?? at, tokens: sessionTokens(session), summary, compactedAt: at };
}

/** The results of a session's acts are in the journal of its run, as long as no later run has replaced it. */
async function recordsOf(
  { store }: SessionPorts,
  session: Session,
  knownRun: Pick<Run, 'id' | 'journal'> | undefined,
): Promise<SessionRecords> {
  const { issueNumber, runId } = session;
  const [run, ledger, assumptions] = await Promise.all([
    knownRun ?? store.runs.read(issueNumber),
    store.ledgers.read(issueNumber),
    store.assumptions.read(issueNumber),
  ]);
  const acts = run?.id === runId ? actsOf(run.journal, session) : new Map<number, readonly ActResult[]>();
  const ids = new Set([...acts.values()].flat().flatMap(({ questionId }) => questionId ?? []));
  const questions = await Promise.all([...ids].map((id) => store.questions.read(id)));
  return {
    session,
    acts,
    clarifications: ledger.clarifications,
    questions: questions.filter((question) => question !== undefined),
    assumptions: assumptions.assumptions_made,
  };
}

/** A question about how to go on belongs to the turn before it. */
function actsOf(journal: readonly JournalEntry[], { step, turns }: Session): SessionRecords['acts'] {
  const ownTurns = new Set(turns.map(({ turn }) => turn));
  const acts = new Map<number, readonly ActResult[]>();
  const add = (turn: number, more: readonly ActResult[]) => {
    if (ownTurns.has(turn)) acts.set(turn, [...(acts.get(turn) ?? []), ...more]);
  };
  for (const entry of journal) {
    if (!('step' in entry) || entry.step !== step) continue;
    if (entry.type === 'turn-ended') add(entry.turn, entry.acts);
    if (entry.type === 'asked-what-next')
      add(entry.turn, [{ act: 'what-next', blocking: true, questionId: entry.questionId }]);
  }
  return acts;
}

function missing(id: string): AgentXError {
  return new AgentXError('NOT_FOUND', `There is no session ${id}.`, { what: `session ${id}` });
}
