import { describe, expect, it } from 'vitest';
import { anAssumption } from '../../test/builders/assumption.js';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { aQuestion } from '../../test/builders/question.js';
import { aSession, aTurn } from '../../test/builders/session.js';
import { transition } from '../protocol/clarification-transition.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import { EMPTY_SUMMARY } from '../protocol/session-summary.js';
import { compactSession, type SessionRecords } from './compact.js';

const compact = (records: Partial<SessionRecords> & { readonly replies?: readonly Reply[] }) => {
  const { replies = [{}], ...rest } = records;
  const turns = replies.map((reply, index) => aTurn({ turn: index + 1, reply }));
  return compactSession({
    session: aSession({ turns }),
    acts: new Map(),
    clarifications: [],
    questions: [],
    assumptions: [],
    ...rest,
  });
};
const acts = (...all: readonly Partial<ActResult>[]) =>
  new Map([[1, all.map((act) => ({ act: 'clarify/0', blocking: true, ...act }))]]);

describe('a compacted session', () => {
  it('sorts observations by their category', () => {
    const observations = [
      { category: 'decision', content: 'One adapter per environment.' },
      { category: 'code-change', content: 'src/db.ts has two adapters.' },
      { category: 'error', content: 'The migration failed on SQLite 3.8.' },
      { category: 'key-fact', content: 'CI runs on SQLite.' },
    ] as const;
    expect(compact({ replies: [{ observations }] })).toEqual({
      decisions: ['One adapter per environment.'],
      codeChanges: ['src/db.ts has two adapters.'],
      errors: ['The migration failed on SQLite 3.8.'],
      keyFacts: ['CI runs on SQLite.'],
    });
  });

  it('holds a resolved clarification as its summary, with where to read the rest [CL-5/1]', () => {
    const body = 'Good question! Use PostgreSQL 16 in production. Let me know if you need more.';
    const answer = transition(aClarification(), { type: 'answer', at: AT, by: 'architect', body }).record;
    const record = transition(answer, { type: 'resolve', at: AT, by: 'engineer', body: 'Clear.' }).record;
    const { decisions } = compact({ clarifications: [record], acts: acts({ clarificationId: record.id, round: 1 }) });
    expect(decisions).toEqual(['Which database adapter: Use PostgreSQL 16 in production. (CLR-42-001, architect)']);
  });

  it('tells what is still open, and which target failed', () => {
    const reason = 'AGENT_ERROR: architect failed twice, the last time with: exit 1';
    const escalated = transition(aClarification(), { type: 'escalate', at: AT, reason }).record;
    expect(compact({ clarifications: [escalated], acts: acts({ clarificationId: escalated.id }) })).toEqual({
      ...EMPTY_SUMMARY,
      errors: [`${reason} (CLR-42-001)`],
      keyFacts: ['Which database adapter: escalated (CLR-42-001, architect)'],
    });
  });

  it("counts a human's answers and assumptions as decisions", () => {
    const question = aQuestion({
      status: 'resolved',
      outcome: 'answered',
      responses: [{ questionId: 'q1', optionIds: ['b'], answer: 'but only locally' }],
    });
    const assumption = anAssumption({ id: 'ASM-42-001', decision: 'Sessions expire after a day' });
    const both = acts(
      { act: 'question/0', questionId: question.id },
      { act: 'assumption/0', assumptionId: 'ASM-42-001' },
    );
    expect(compact({ questions: [question], assumptions: [assumption], acts: both }).decisions).toEqual([
      'Which database? SQLite but only locally (oq-1a2b3c4d, human)',
      'Assumed: Sessions expire after a day (ASM-42-001)',
    ]);
  });

  it('tells of questions that nobody answered', () => {
    const asked = acts({ act: 'question/0', questionId: 'oq-1a2b3c4d' });
    expect(compact({ questions: [aQuestion()], acts: asked }).keyFacts).toEqual([
      'Still asked: Which database? (oq-1a2b3c4d)',
    ]);
    const declined = aQuestion({ status: 'resolved', outcome: 'declined' });
    expect(compact({ questions: [declined], acts: asked }).keyFacts).toEqual([
      'Which database? Ended declined. (oq-1a2b3c4d)',
    ]);
  });

  it('names artifacts that were written, once, and not those that were refused or held', () => {
    const artifacts = ['docs/a.md', '../b.md', 'docs/c.md'].map((path) => ({ path, content: '' }));
    const refused = { code: 'INVALID_INPUT', message: 'outside the repository' };
    const done = acts(
      { act: 'artifact/0', path: 'docs/a.md' },
      { act: 'artifact/1', refused },
      { act: 'artifact/2', held: true },
    );
    const summary = compact({ replies: [{ artifacts }, { artifacts: artifacts.slice(0, 1) }], acts: done });
    expect(summary.codeChanges).toEqual(['Wrote docs/a.md']);
    expect(summary.errors).toEqual(['INVALID_INPUT: outside the repository']);
  });

  it('tells of turns that failed', () => {
    const turns = [aTurn({ reply: { status: 'failed', text: 'The tests do not compile here.' } })];
    const { reply: _, ...failed } = aTurn({ turn: 2, error: 'AGENT_ERROR: exit 7' });
    const { errors } = compactSession({
      session: aSession({ turns: [...turns, failed] }),
      acts: new Map(),
      clarifications: [],
      questions: [],
      assumptions: [],
    });
    expect(errors).toEqual(['The tests do not compile here.', 'AGENT_ERROR: exit 7']);
  });

  it('tells of proposals, reviews and new issues', () => {
    const reply = {
      proposes: [{ kind: 'dependency', summary: 'Add pg 8' }],
      issues: [{ title: 'Rate limits' }],
      review: { verdict: 'rejected', cause: 'misunderstanding', body: 'Wrong table.' },
    } as const;
    const wanted = compact({ replies: [reply] });
    expect(wanted.keyFacts).toEqual(['New issue: Rate limits']);
    expect(wanted.decisions).toEqual([
      'Review rejected (misunderstanding): Wrong table.',
      'Proposed (dependency): Add pg 8',
    ]);
    const done = compact({ replies: [reply], acts: acts({ act: 'propose/0' }, { act: 'issue/0', issueNumber: 57 }) });
    expect(done).toEqual({ ...wanted, keyFacts: ['New issue #57: Rate limits'] });
    const held = compact({
      replies: [reply],
      acts: acts({ act: 'propose/0', questionId: 'oq-1' }, { act: 'issue/0', held: true }),
    });
    expect(held).toMatchObject({ decisions: wanted.decisions.slice(0, 1), keyFacts: [] });
  });

  it('finds decisions, changes, errors and notes in plain words', () => {
    const text = `I looked around first. We decided to use one adapter per environment.
- Updated \`src/db.ts\` and src/config.ts
- Committed 1a2b3c4d with both
All tests pass without errors. The linter failed on Windows.
Note: the pool is capped at 10. Is that fine?
\`\`\`
throw new Error('failed to add x.ts');
\`\`\``;
    expect(compact({ replies: [{ text }] })).toEqual({
      decisions: ['We decided to use one adapter per environment.'],
      codeChanges: ['Updated `src/db.ts` and src/config.ts', 'Committed 1a2b3c4d with both'],
      errors: ['The linter failed on Windows.'],
      keyFacts: ['Note: the pool is capped at 10.', 'I looked around first.'],
    });
  });

  it('keeps what is private to itself, in pieces too', () => {
    const text =
      'Decision: use Redis. <private>The password is hunter2. We decided to keep it.</private> Done with that.';
    const { decisions, keyFacts } = compact({ replies: [{ text }] });
    expect(decisions).toEqual(['Decision: use Redis.']);
    expect(JSON.stringify(keyFacts)).not.toContain('hunter2');
  });

  it('says each fact once, on one line, and no more than a capture takes', () => {
    const observations = Array.from({ length: 80 }, (_, index) => ({
      category: 'decision' as const,
      content: `Decision\n  number ${index % 60}`,
    }));
    const { decisions, keyFacts } = compact({ replies: [{ observations, text: 'This is left out.' }] });
    expect(decisions).toHaveLength(50);
    expect(decisions.at(-1)).toBe('Decision number 59');
    expect(keyFacts).toEqual([]);
    const long = compact({ replies: [{ observations: [{ category: 'error', content: 'x'.repeat(3000) }] }] });
    expect(long.errors[0]).toHaveLength(2000);
  });

  it('of a silent session is empty', () => {
    expect(compact({})).toEqual(EMPTY_SUMMARY);
  });
});
