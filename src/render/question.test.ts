import { describe, expect, it } from 'vitest';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { summaryOf } from '../protocol/question-summary.js';
import { columnsOf } from './columns.js';
import { UNPAINTED } from './conversation.js';
import { howToAnswer, renderQuestion, renderQuestionList } from './question.js';

const view = { width: 80, paint: UNPAINTED, now: '2026-02-26T10:00:28.000Z', isRelative: true };
const part = { id: 'q1', text: 'Which region?' };

it('says when it was asked below its id where a line of a terminal does not hold both', () => {
  const [first, second] = renderQuestion(aQuestion(), { ...view, width: 50 }).split('\n');
  expect([first, second]).toEqual(['oq-1a2b3c4d (#42, open_question, revision 1)', '  coder asks, 28 s ago']);
});

it.each([40, 80])('stays within %i columns, however long the names are that an agent gives', (width) => {
  const id = (word: string) => `${word} ${'x'.repeat(55)}`;
  const options = ['keep', 'drop'].map((word) => ({
    id: id(word),
    label: 'Way '.repeat(20),
    description: 'So. '.repeat(20),
  }));
  const questions = ['q1', '\u8a2d\u8a08'].map((word) => ({ id: id(word), text: 'Which region? '.repeat(9), options }));
  const lines = renderQuestion(aQuestion({ questions }), { ...view, width }).split('\n');
  expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
});

describe('the inbox', () => {
  it('has a line for each question', () => {
    const questions = [
      anExpiringQuestion({ id: 'oq-7c1e09aa' }),
      aQuestion({ id: 'oq-19f2b3d0', consequence: 'irreversible', questions: [part, { ...part, id: 'q2' }] }),
      aQuestion({
        id: 'oq-2',
        status: 'resolved',
        outcome: 'answered',
        answeredBy: { principal: 'ada', channel: 'cli' },
      }),
    ];
    expect(renderQuestionList(questions.map(summaryOf), view).split('\n')).toEqual([
      'oq-7c1e09aa  #42  coder asks  Which database?  fallback b in 4:32',
      'oq-19f2b3d0  #42  coder asks  2 questions      waits, irreversible',
      'oq-2         #42  coder asks  Which database?  answered by ada (cli)',
    ]);
  });

  it('has one line of a question that has several: its header, or where an agent failed, why', () => {
    const failed = {
      header: 'Step code',
      text: "Step 'code' of coder cannot go on: it failed:\nat line 1\nat line 2. What next?",
    };
    const handed = { header: 'Review it', text: 'Yours as coder, on issue #42: Review it\n\n## Issue #42\nLong.' };
    const titles = (kind: 'agent_failed' | 'approval' | 'open_question', question: Partial<typeof part>) =>
      summaryOf(aQuestion({ kind, questions: [{ ...part, ...question }] })).title;
    expect(titles('agent_failed', failed)).toBe("Step 'code' of coder cannot go on: it failed:");
    expect(titles('approval', handed)).toBe('Review it');
    expect(titles('open_question', { text: '\nWhich region?\nWe have two.' })).toBe('Which region?');
    const [line = ''] = renderQuestionList(
      [
        summaryOf(
          aQuestion({ kind: 'agent_failed', questions: [{ ...part, ...failed, text: failed.text.repeat(9) }] }),
        ),
      ],
      { ...view, width: 60 },
    ).split('\n');
    expect(line.length).toBeLessThanOrEqual(60);
    expect(line).toContain("Step 'code' of");
  });

  it('names no issue number where a question is about no issue', () => {
    const question = aQuestion({ issueNumber: 0 });
    expect(renderQuestionList([summaryOf(question)], view)).toContain('  no issue  coder asks  ');
    expect(renderQuestion(question, view)).toContain('(no issue, open_question, revision 1)');
  });

  it('says how to answer with what can be copied as it is', () => {
    expect(howToAnswer(aQuestion())).toBe('Answer: agentx inbox answer oq-1a2b3c4d');
  });
});

describe('one question', () => {
  it('shows its options with letters and what happens without an answer', () => {
    expect(renderQuestion(anExpiringQuestion(), view).split('\n')).toEqual([
      'oq-1a2b3c4d (#42, open_question, revision 1)  coder asks, 28 s ago',
      '  Which database?',
      '  a) PostgreSQL',
      '  b) SQLite',
      '  fallback b in 4:32',
      '  Fallback: already in the repository; risk: low',
    ]);
  });

  it('shows what speaks for each option and what against [OQ-9/1]', () => {
    const options = [{ id: 'a', label: 'Queue', pros: ['decoupled'], cons: ['one more\nservice', 'later'] }];
    const text = renderQuestion(aQuestion({ questions: [{ ...part, options }] }), view);
    expect(text).toContain('  a) Queue\n     + decoupled\n     - one more service\n     - later\n');
  });

  it('shows why a planner could not decide, and what it tried [PM-4/4]', () => {
    const evidence = { codebase_search: 'no keys', similar_features: 'none pays\u001b[2J' };
    const question = anExpiringQuestion({ kind: 'pm_clarification', blocker_type: 'missing_external_data', evidence });
    expect(renderQuestion(question, view)).toContain(
      '  Blocker: Missing External Data\n  Tried:\n  - Codebase search: no keys\n  - Similar features: none pays\n  Which database?',
    );
    expect(renderQuestion(question, view)).toContain(
      'fallback b in 4:32\n  Fallback: already in the repository; risk: low',
    );
  });

  it('shows what each of several parts falls back to, and why', () => {
    const options = [
      { id: 'a', label: 'EU' },
      { id: 'b', label: 'US' },
    ];
    const questions = [
      { ...part, options, fallback: { optionId: 'b', reasoning: 'most customers', risk: 'low' } },
      { id: 'q2', text: 'Which currency?', fallback: { text: 'EUR' } },
    ];
    const fallback = { text: 'US; EUR', reasoning: 'most customers', risk: 'low' };
    expect(renderQuestion(anExpiringQuestion({ questions, fallback }), view).split('\n').slice(1)).toEqual([
      '  q1  Which region?',
      '      a) EU',
      '      b) US',
      '      Fallback: b) US; most customers; risk: low',
      '  q2  Which currency?',
      '      Fallback: EUR',
      '  fallback in 4:32',
    ]);
    const answered = anExpiringQuestion({ questions, fallback, responses: [{ questionId: 'q1', answer: 'EU' }] });
    expect(renderQuestion(answered, view)).toContain('      Answered: EU\n  q2');
  });

  it('shows what was said after the fallback was taken, and by whom', () => {
    const answeredBy = { principal: 'ada', channel: 'web' } as const;
    const responses = [{ questionId: 'q1', answer: 'PostgreSQL', optionIds: ['a'] }];
    const late = aQuestion({
      status: 'resolved',
      outcome: 'fallback_applied',
      responses: [{ questionId: 'q1', answer: 'SQLite', optionIds: ['b'] }],
      lateResponses: [{ responses, answeredBy, at: '2026-02-26T11:00:00.000Z' }],
    });
    expect(renderQuestion(late, view)).toContain(
      '  Answered: SQLite\n  Answered late: PostgreSQL, by ada (web)\n  fallback_applied',
    );
  });

  it('shows what was answered, and hostile text as text', () => {
    const options = [{ id: 'a', label: 'EU\u001b[2J', description: 'near\nus', recommended: true }];
    const text = renderQuestion(
      aQuestion({ questions: [{ ...part, options }], responses: [{ questionId: 'q1', answer: 'EU\u0007' }] }),
      view,
    );
    expect(text).toContain('  a) EU (recommended)\n     near us\n  Answered: EU\n  waits');
  });
});
