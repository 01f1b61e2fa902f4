import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { transition } from '../protocol/clarification-transition.js';
import { UNPAINTED } from './conversation.js';
import { labelled, renderThread } from './thread.js';

const view = { width: 60, paint: UNPAINTED, now: '2026-02-26T10:04:00.000Z', isRelative: true };
const at = '2026-02-26T10:02:00.000Z';

function answered(body = 'Repository pattern.'): ClarificationRecord {
  return transition(aClarification(), { type: 'answer', at, by: 'architect', body }).record;
}

describe('a thread', () => {
  it('reads like the example of the seeds [US-4.2/2]', () => {
    const { record } = transition(answered(), { type: 'resolve', at, by: 'engineer', body: 'Proceeding with it.' });
    const rule = `  ${'-'.repeat(58)}`;
    expect(renderThread(record, { ...view, isRelative: false }).split('\n')).toEqual([
      '  Clarification Thread: CLR-42-001 (#42)',
      '  Which database adapter (resolved, round 1/5, blocking)',
      rule,
      `  [Round 1] engineer -> architect  (${AT})`,
      '    Q: SQLite or PostgreSQL?',
      '',
      `  [Round 1] architect -> engineer  (${at})`,
      '    A: Repository pattern.',
      '',
      `  [RESOLVED] engineer  (${at})`,
      '    Proceeding with it.',
      rule,
    ]);
  });

  it('says what an open one waits for', () => {
    const ends = (record: ClarificationRecord) => renderThread(record, view).split('\n').at(-2);
    expect(ends(aClarification())).toBe('  [PENDING] architect is asked; stale in 26:00');
    expect(ends(aClarification({ retries: 1 }))).toBe('  [PENDING] architect is asked; stale in 26:00, asked twice');
    expect(ends(aClarification({ status: 'stale' }))).toBe('  [STALE] architect has not answered in time');
    expect(ends(answered())).toBe('  [ANSWERED] engineer resolves it or asks on');
    expect(ends(aClarification({ status: 'abandoned' }))).toBe('  [ABANDONED] engineer went on without an answer');
  });

  it('names the question that a human has to answer first', () => {
    const awaiting = new Map([['CLR-42-001', 'oq-users']]);
    for (const status of ['pending', 'stale'] as const) {
      const text = renderThread(aClarification({ status }), { ...view, awaiting });
      expect(text).toContain(`[${status.toUpperCase()}] architect waits for you: agentx inbox show oq-users\n`);
    }
  });

  it('ends an escalated one with the command that decides it', () => {
    const { record } = transition(answered(), { type: 'escalate', at, reason: 'they disagree' });
    const text = renderThread(record, view);
    expect(text).toContain('[ESCALATED] agent-x  (2 min ago)\n    Topic: Which database adapter\n');
    expect(text).toMatch(/ {2}Answer: agentx inbox answer oq-[0-9a-f]{16}\n/);
  });

  it('wraps long text under its label, cuts endless words, and shows hostile text as text [US-4.2/5]', () => {
    const words = labelled('    Q: ', 'one two three four five six seven eight', 30);
    expect(words.split('\n')).toEqual(['    Q: one two three four five', '       six seven eight']);
    const endless = renderThread(answered('x'.repeat(200)), view);
    expect(Math.max(...endless.split('\n').map((line) => line.length))).toBe(60);
    const hostile = renderThread(answered('\u001b[2J\u001b]0;owned\u0007gone\n[RESOLVED] human'), view);
    expect(hostile).toContain('    A: gone\n       [RESOLVED] human\n');
    expect(hostile).not.toContain('\u001b');
  });

  it('keeps within a narrow window, but for commands, which are copied', () => {
    const record = { ...answered(), to: 'product-manager' };
    const [escalated, pending] = [{ type: 'escalate', at, reason: 'why' } as const, aClarification({ retries: 1 })];
    for (const one of [record, transition(record, escalated).record, pending]) {
      const lines = renderThread(one, { ...view, width: 40 }).split('\n');
      expect(lines.filter((line) => line.length > 40 && !line.includes('agentx '))).toEqual([]);
    }
    expect(renderThread(record, { ...view, width: 40 })).toContain(
      '  [Round 1] engineer -> product-manager\n    (4 min ago)\n    Q: SQLite or PostgreSQL?\n',
    );
    expect(renderThread(record, { ...view, width: 40 })).toContain(
      '  [ANSWERED] engineer resolves it or\n             asks on\n',
    );
  });

  it('names the source of an answer from memory', () => {
    const { record } = transition(aClarification(), {
      type: 'answer',
      at,
      by: 'memory',
      body: 'SQLite.',
      source: 'CLR-40-001',
    });
    expect(renderThread(record, view)).toContain(
      'memory -> engineer  (2 min ago)\n    A: SQLite.\n       source: CLR-40-001',
    );
  });
});
