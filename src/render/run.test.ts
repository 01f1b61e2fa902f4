import { describe, expect, it } from 'vitest';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { columnsOf } from './columns.js';
import { UNPAINTED } from './conversation.js';
import { renderLive } from './live-line.js';
import {
  renderDecision,
  renderRunStarted,
  renderSaid,
  renderStep,
  renderSummary,
  seconds,
  whatHappens,
} from './run.js';

const VIEW = { paint: UNPAINTED };
const summary = { iterations: 6, tools: 14, rounds: 4, escalations: 1, artifacts: [], durationMs: 12_340 };

describe('what happens without an answer', () => {
  const TWO_PARTS = ['Which cache?', 'How long?'].map((text, index) => ({
    id: `q${index + 1}`,
    text,
    createdAt: '2026-02-26T10:00:00.000Z',
    fallback: { text: index === 0 ? 'Memory' : '30 days' },
  }));
  const BOTH = { questions: TWO_PARTS, fallback: { text: 'Memory; 30 days' } };

  it.each([
    [anExpiringQuestion(), 'Without an answer by 2026-02-26T10:05:00.000Z, the fallback is taken: b) SQLite. '],
    [
      anExpiringQuestion(BOTH),
      'Without an answer by 2026-02-26T10:05:00.000Z, the fallback is taken: Memory; 30 days. ',
    ],
    [
      anExpiringQuestion({ ...BOTH, responses: [{ questionId: 'q1', answer: 'Redis' }] }),
      'Without an answer by 2026-02-26T10:05:00.000Z, the fallback is taken: 30 days. ',
    ],
    [aQuestion(), 'Nothing is decided without you. '],
    [aQuestion({ consequence: 'irreversible' }), 'It is irreversible: nothing is decided without you. '],
  ])('is said of the question, and of the run', (question, decision) => {
    expect(whatHappens(question, true)).toBe(`${decision}The run waits, and goes on with what is decided.`);
    expect(whatHappens(question, false)).toBe(
      `${decision}The run does not wait: afterwards, go on with agentx run 42; a running agentx serve does so by itself.`,
    );
    expect(whatHappens({ ...question, blocking: false }, false)).toBe(`${decision}Coder goes on meanwhile.`);
  });
});

describe('a run in words', () => {
  it('ends with what it took', () => {
    expect(renderSummary({ status: 'done', summary }, VIEW)).toBe(
      'Run complete: iterations=6, tools=14, rounds=4, escalations=1, time=12s, exit=complete.',
    );
    expect(renderSummary({ status: 'paused', summary: { ...summary, escalations: 0 } }, VIEW)).toContain(
      'exit=paused.',
    );
  });

  it('says that it goes on, and what the one who watches should know', () => {
    const run = { runId: 'run-42-ab12cd34', issueNumber: 42, timestamp: 0, title: 'Health', workflow: 'feature' };
    expect(renderRunStarted({ ...run, steps: 1, isResumed: true, notice: 'feature.toml changed' }, VIEW)).toBe(
      '#42 Health  (feature, 1 step, goes on where it was)\n  feature.toml changed',
    );
  });

  it('wraps its title in a narrow window, and its notice', () => {
    const run = { runId: 'run-42-ab12cd34', issueNumber: 42, timestamp: 0, workflow: 'feature', steps: 5 };
    const title = 'A title that is longer than the window';
    const notice = '.agentx/workflows/feature.toml has changed.';
    const text = renderRunStarted({ ...run, title, isResumed: true, notice }, { ...VIEW, width: 30 });
    expect(text.split('\n')).toEqual([
      '#42 A title that is longer',
      '  than the window',
      '  (feature, 5 steps, goes on',
      '  where it was)',
      '  .agentx/workflows/feature.',
      '  toml has changed.',
    ]);
  });

  it('shows the beginning of what an agent says at length', () => {
    const rendered = (text: string) => renderSaid('engineer', text, VIEW);
    expect(rendered('a\nb')).toBe('[Engineer] a\n  b');
    expect(rendered('1\n2\n3\n4\n5\n6\n7')).toBe('[Engineer] 1\n  2\n  3\n  4\n  5\n  6\n  ...');
    expect(rendered('x'.repeat(1_000_000))).toBe(`[Engineer] ${'x'.repeat(1000)}...`);
    expect(rendered(`${'x'.repeat(999)}\u{1f600}`)).toBe(`[Engineer] ${'x'.repeat(999)}...`);
  });

  it('fits every width', () => {
    const step = { agent: 'product-manager', title: 'Write the requirements of something long', durationMs: 61_000 };
    for (const width of [50, 80, 200]) {
      for (const state of ['done', undefined]) {
        const { durationMs, ...rest } = step;
        const line = renderStep(state === undefined ? rest : { ...rest, durationMs, state }, { ...VIEW, width });
        expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }
    }
    const work = [{ agent: 'product-manager', what: step.title, since: 0 }];
    for (const width of [5, 20, 40, 80]) {
      for (const line of renderLive(work, { paint: UNPAINTED, width, now: 75_000 })) {
        expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  it('reads durations as people do', () => {
    expect([0, 2149, 9999, 48_000, 99_400, 185_000].map(seconds)).toEqual([
      '0.0s',
      '2.1s',
      '10s',
      '48s',
      '99s',
      '3m 05s',
    ]);
  });

  it('says how a question without an answer ended', () => {
    const view = { ...VIEW, you: 'ada' };
    const responses = [{ questionId: 'q1', answer: 'SQLite' }];
    const ended = aQuestion({ status: 'resolved', outcome: 'fallback_applied', responses });
    expect(renderDecision(ended, view)).toBe('[Agent X] Nobody answered in time; the fallback is taken: SQLite');
    const by = { principal: 'bob', channel: 'web' as const };
    const declined = aQuestion({ status: 'resolved', outcome: 'declined', answeredBy: by });
    expect(renderDecision(declined, view)).toBe(
      '[Agent X] bob will not decide it. The agent goes on with an assumption.',
    );
  });
});
