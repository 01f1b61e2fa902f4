import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { aHub } from '../../test/builders/hub.js';
import { aQuestion } from '../../test/builders/question.js';
import { aRun } from '../../test/builders/run.js';
import { aSession, aTurn } from '../../test/builders/session.js';
import type { Session } from '../protocol/session.js';
import { parseSummary } from '../protocol/session-summary.js';
import { estimateTokens } from '../protocol/tokens.js';
import { endSession } from './session-end.js';

async function afterSession(session: Session = aSession()) {
  const hub = await aHub();
  await hub.store.sessions.update(session.id, () => ({ next: session, result: undefined }));
  return hub;
}

describe('the end of a session', () => {
  it('writes the summary, then says so once [ME-7/4]', async () => {
    const reply = { text: 'We decided to use SQLite.' };
    const hub = await afterSession(aSession({ turns: [aTurn({ promptTokens: 1000, reply })] }));
    const ended = await endSession(hub, aSession().id);
    expect(ended).toMatchObject({ endedAt: AT, compactedAt: AT });
    expect(await hub.store.sessions.read(ended.id)).toEqual(ended);
    expect(parseSummary(ended.summary ?? '').decisions).toEqual(['We decided to use SQLite.']);
    const originalTokens = 1000 + estimateTokens(JSON.stringify(reply));
    expect(hub.bus.events).toEqual([
      {
        name: 'context-compacted',
        payload: {
          agent: 'engineer',
          issueNumber: 42,
          sessionId: ended.id,
          originalTokens,
          compactedTokens: estimateTokens(ended.summary ?? ''),
          summary: ended.summary,
          timestamp: Date.parse(AT),
        },
      },
    ]);
    expect(await endSession(hub, ended.id)).toEqual(ended);
    expect(hub.bus.events).toHaveLength(1);
  });

  it('tells of it once when two end it at the same time', async () => {
    const hub = await afterSession();
    const [first, second] = await Promise.all([endSession(hub, aSession().id), endSession(hub, aSession().id)]);
    expect(first).toEqual(second);
    expect(hub.bus.names()).toEqual(['context-compacted']);
  });

  it("takes what became of its acts from its run's journal", async () => {
    const hub = await afterSession(aSession({ turns: [aTurn(), aTurn({ turn: 2 })] }));
    const record = aClarification({ status: 'answered' });
    const act = { act: 'clarify/0', blocking: true, clarificationId: record.id, round: 1 };
    const ended = { type: 'turn-ended', at: AT, status: 'done', acts: [act] } as const;
    const journal = [
      { ...ended, step: 'design', turn: 1, acts: [{ ...act, act: 'question/0', questionId: 'oq-other' }] },
      { ...ended, step: 'implement', turn: 1 },
      { type: 'asked-what-next', at: AT, step: 'implement', turn: 2, reason: 'stuck', questionId: 'oq-1a2b3c4d' },
    ] as const;
    const question = aQuestion({
      kind: 'agent_failed',
      status: 'resolved',
      outcome: 'answered',
      responses: [{ questionId: 'q1', optionIds: ['a'] }],
    });
    await hub.store.questions.create(question);
    await hub.store.ledgers.update(42, (ledger) => ({
      next: { ...ledger, clarifications: [record] },
      result: undefined,
    }));
    await hub.store.runs.update(42, () => ({ next: aRun({ journal }), result: undefined }));
    const { summary = '' } = await endSession(hub, aSession().id);
    expect(parseSummary(summary)).toMatchObject({
      decisions: ['Which database? PostgreSQL (oq-1a2b3c4d, human)'],
      keyFacts: [expect.stringContaining('CLR-42-001')],
    });
  });

  it('is refused for a session that nobody began', async () => {
    await expect(endSession(await aHub(), 'run-1-1a2b3c4d.implement.1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
