import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { refusalOf } from '../../test/builders/refusal.js';
import { AgentXError } from './errors.js';
import { pageOf, positionOf } from './page.js';
import {
  byCreation,
  isExpired,
  Question,
  QuestionOutcome,
  type QuestionResponse,
  type QuestionState,
  stateOf,
} from './question.js';
import { answererOf, latestResponses, outcomeOf } from './question-answerers.js';
import { openQuestion, QUESTION_TRANSITIONS, type QuestionEvent, transition } from './question-transition.js';

const at = '2026-02-26T10:05:00.000Z';
const by = { principal: 'ana', channel: 'cli', authority: 'local user' } as const;

function answer(responses: readonly QuestionResponse[], revision = 1): QuestionEvent {
  return { type: 'answer', at, by, revision, responses };
}

const events = [
  answer([{ questionId: 'q1', optionIds: ['a'] }]),
  { type: 'decline', at, by, revision: 1 },
  { type: 'dismiss', at, by, revision: 1 },
  { type: 'expire', at },
  { type: 'supersede', at },
  { type: 'unreachable', at },
] as const satisfies readonly QuestionEvent[];

function aQuestionIn(state: QuestionState): Question {
  return state === 'open'
    ? anExpiringQuestion()
    : anExpiringQuestion({ status: 'resolved', outcome: state, resolvedAt: at });
}

const twoParts = (fields: Partial<Question> = {}) =>
  anExpiringQuestion({
    questions: [...aQuestion().questions, { id: 'q2', text: 'Pagination?' }],
    fallback: { optionId: 'b', text: 'Take the simpler one' },
    ...fields,
  });

describe('the transition table', () => {
  it.each([
    ['answer', 'answered'],
    ['decline', 'declined'],
    ['dismiss', 'dismissed'],
    ['expire', 'fallback_applied'],
    ['supersede', 'superseded'],
    ['unreachable', 'unreachable'],
  ] as const)('ends an open question by %s as %s [X-1/1]', (type, outcome) => {
    const event = events.find((one) => one.type === type);
    if (event === undefined) throw new Error(`There is no event ${type}.`);
    expect(transition(aQuestionIn('open'), event).question).toMatchObject({ status: 'resolved', outcome });
  });

  it('leads legal pairs to their outcome and refuses all others as a CONFLICT with the present state [X-1/1]', () => {
    for (const state of ['open', ...QuestionOutcome.options] as const) {
      for (const event of events) {
        const question = aQuestionIn(state);
        const next = QUESTION_TRANSITIONS[state][event.type];
        if (next !== undefined) {
          const result = transition(question, event).question;
          expect([state, event.type, stateOf(result)]).toEqual([state, event.type, next]);
          expect(result.revision).toBe(question.revision + 1);
          expect(z.safeParse(Question, result).success).toBe(true);
          continue;
        }
        const refusal = refusalOf(() => transition(question, event));
        expect(refusal.code).toBe('CONFLICT');
        expect(refusal.message).toContain(`is already ${state.replaceAll('_', ' ')}`);
        expect(refusal.details.question).toBe(question);
      }
    }
  });
});

describe('answering', () => {
  it('resolves, with who, through what and on which revision [X-8/2]', () => {
    const { question, effects } = transition(aQuestion(), answer([{ questionId: 'q1', answer: 'MySQL' }]));
    expect(question).toMatchObject({
      status: 'resolved',
      outcome: 'answered',
      resolvedAt: at,
      revision: 2,
      responses: [{ questionId: 'q1', answer: 'MySQL' }],
      answeredBy: { ...by, revision: 1 },
    });
    expect(effects).toEqual([
      {
        type: 'emit',
        name: 'notification-resolved',
        payload: {
          notificationId: 'oq-1a2b3c4d',
          projectId: 'shop',
          source: 'execute',
          sourceId: '42',
          outcome: 'answered',
          timestamp: Date.parse(at),
        },
      },
    ]);
  });

  it('takes the labels of the chosen options for the text', () => {
    const { question } = transition(aQuestion(), answer([{ questionId: 'q1', optionIds: ['b'] }]));
    expect(question.responses).toEqual([{ questionId: 'q1', optionIds: ['b'], answer: 'SQLite' }]);
  });

  it('refuses a revision that is not the present one [X-5/2]', () => {
    const question = aQuestion({ revision: 3 });
    const refusal = refusalOf(() => transition(question, answer([{ questionId: 'q1', answer: 'x' }], 2)));
    expect(refusal.code).toBe('CONFLICT');
    expect(refusal.message).toBe('Question oq-1a2b3c4d is at revision 3, not 2.');
    expect(refusal.details.question).toBe(question);
    expect(refusalOf(() => transition(question, { type: 'decline', at, by, revision: 2 })).code).toBe('CONFLICT');
  });

  it('lets exactly one of two answers to the same revision win', () => {
    const first = transition(aQuestion(), answer([{ questionId: 'q1', answer: 'x' }])).question;
    expect(refusalOf(() => transition(first, answer([{ questionId: 'q1', answer: 'y' }]))).code).toBe('CONFLICT');
    expect(refusalOf(() => transition(first, answer([{ questionId: 'q1', answer: 'y' }], 2))).code).toBe('CONFLICT');
  });

  it('keeps some parts now and takes the others later [X-4/2]', () => {
    const partial = transition(twoParts(), answer([{ questionId: 'q1', optionIds: ['a'] }]));
    expect(partial.question).toMatchObject({ status: 'open', revision: 2 });
    expect(partial.question.responses).toHaveLength(1);
    expect(partial.effects).toEqual([]);
    const whole = transition(partial.question, answer([{ questionId: 'q2', answer: 'yes' }], 2)).question;
    expect(whole).toMatchObject({ status: 'resolved', outcome: 'answered', revision: 3 });
    expect(whole.responses?.map((response) => response.answer)).toEqual(['PostgreSQL', 'yes']);
  });

  it.each([
    ...['No', 'nope.', 'Never mind', 'leave it', 'Enough of this', 'not worth the money', "don't bother", 'Move on'],
    ...['let it go', 'skip it for today', 'we had better stop'],
  ])('is never a hint for another try where it speaks of giving up: %s', (text) => {
    const options = ['retry', 'skip', 'stop'].map((id) => ({ id, label: id === 'skip' ? 'Go on without it' : id }));
    const failed = aQuestion({ kind: 'agent_failed', questions: [{ id: 'q1', text: 'What next?', options }] });
    const response = { questionId: 'q1', answer: text };
    expect(refusalOf(() => transition(failed, answer([response]))).message).toContain('wants an option');
    const hint = { questionId: 'q1', answer: 'No, use Node 22 and do not lint' };
    expect(transition(failed, answer([hint])).question).toMatchObject({ outcome: 'answered', responses: [hint] });
  });

  it('says of an option for a part that has none how the part is answered', () => {
    const question = aQuestion({ questions: [{ id: 'q1', text: 'Which release?', createdAt: at }] });
    const refusal = refusalOf(() => transition(question, answer([{ questionId: 'q1', optionIds: ['a'] }])));
    expect(refusal).toMatchObject({
      code: 'INVALID_INPUT',
      message: "Question oq-1a2b3c4d: Part 'q1' has no options: it is answered in words.",
    });
  });

  it('takes several options only where multiSelect says so', () => {
    const many = answer([{ questionId: 'q1', optionIds: ['a', 'b'] }]);
    expect(refusalOf(() => transition(aQuestion(), many)).message).toContain('takes one option');
    const [part] = aQuestion().questions;
    const multi = aQuestion({ questions: part === undefined ? [] : [{ ...part, multiSelect: true }] });
    expect(transition(multi, many).question.responses?.[0]?.answer).toBe('PostgreSQL, SQLite');
  });

  it.each<[string, readonly QuestionResponse[]]>([
    ["no question 'q9'", [{ questionId: 'q9', answer: 'x' }]],
    ["no option 'z'", [{ questionId: 'q1', optionIds: ['z'] }]],
    ["no option '__proto__'", [{ questionId: 'q1', optionIds: ['__proto__'] }]],
    [
      'is answered twice',
      [
        { questionId: 'q1', answer: 'SQLite' },
        { questionId: 'q1', answer: 'MySQL' },
      ],
    ],
    ['is empty', []],
    ['is empty', [{ questionId: 'q1' }]],
    ['is empty', [{ questionId: 'q1', optionIds: [] }]],
    ['is empty', [{ questionId: 'q1', answer: ' ' }]],
    ['is empty', [{ questionId: 'q1', answer: '', optionIds: [] }]],
    ['2001 characters', [{ questionId: 'q1', answer: 'x'.repeat(2001) }]],
  ])('refuses: %s', (named, responses) => {
    for (const question of [aQuestion(), aQuestionIn('fallback_applied')]) {
      const refusal = refusalOf(() => transition(question, answer(responses)));
      expect(refusal.code).toBe('INVALID_INPUT');
      expect(refusal.message).toContain(named);
    }
  });

  it('takes an option beside which a text was left blank', () => {
    const [part] = aQuestion().questions;
    for (const allowText of [true, false]) {
      const question = aQuestion({ questions: part === undefined ? [] : [{ ...part, allowText }] });
      const { responses } = transition(
        question,
        answer([{ questionId: 'q1', answer: ' ', optionIds: ['b'] }]),
      ).question;
      expect(responses).toEqual([{ questionId: 'q1', optionIds: ['b'], answer: 'SQLite' }]);
    }
  });

  it('refuses text where the part takes none', () => {
    const [part] = aQuestion().questions;
    const question = aQuestion({ questions: part === undefined ? [] : [{ ...part, allowText: false }] });
    expect(refusalOf(() => transition(question, answer([{ questionId: 'q1', answer: 'x' }]))).message).toContain(
      'no text',
    );
  });
});

describe('expiry', () => {
  it('applies the fallback to parts without an answer, once its time has come', () => {
    expect(isExpired(anExpiringQuestion(), '2026-02-26T10:04:59.999Z')).toBe(false);
    expect(isExpired(anExpiringQuestion(), at)).toBe(true);
    const partial = transition(twoParts(), answer([{ questionId: 'q1', optionIds: ['a'] }])).question;
    const { question } = transition(partial, { type: 'expire', at });
    expect(question).toMatchObject({ outcome: 'fallback_applied', answeredBy: { channel: 'timeout' } });
    expect(question.responses?.map((response) => response.answer)).toEqual(['PostgreSQL', 'Take the simpler one']);
    expect(isExpired(question, at)).toBe(false);
  });

  it('chooses the declared option', () => {
    const { question } = transition(anExpiringQuestion(), { type: 'expire', at });
    expect(question.responses).toEqual([{ questionId: 'q1', answer: 'SQLite', optionIds: ['b'] }]);
  });

  it('means the first part that has the option, since parts letter theirs alike', () => {
    const [part] = aQuestion().questions;
    const questions = part === undefined ? [] : [part, { ...part, id: 'q2' }];
    const fallback = { optionId: 'b', reasoning: 'the simpler one' };
    const { question } = transition(anExpiringQuestion({ questions, fallback }), { type: 'expire', at });
    expect(question.responses).toEqual([
      { questionId: 'q1', answer: 'SQLite', optionIds: ['b'] },
      { questionId: 'q2', answer: 'the simpler one' },
    ]);
  });

  it('never comes early, without a fallback, or to an irreversible question [X-1/2]', () => {
    const attempts: readonly [Question, string, string][] = [
      [anExpiringQuestion(), '2026-02-26T10:04:59Z', 'its time is'],
      [aQuestion(), at, 'no fallback'],
      [aQuestion({ consequence: 'irreversible' }), '2099-01-01T00:00:00Z', 'irreversible'],
      [anExpiringQuestion({ consequence: 'irreversible' }), '2099-01-01T00:00:00Z', 'irreversible'],
    ];
    expect(z.safeParse(Question, anExpiringQuestion({ consequence: 'irreversible' })).success).toBe(false);
    for (const [question, when, why] of attempts) {
      const refusal = refusalOf(() => transition(question, { type: 'expire', at: when }));
      expect(refusal.code).toBe('INVALID_STATE');
      expect(refusal.message).toContain(why);
    }
  });
});

describe('a late answer', () => {
  it('is kept beside the fallback, whatever revision it saw, and announced', () => {
    const expired = transition(anExpiringQuestion(), { type: 'expire', at }).question;
    const { question, effects } = transition(expired, answer([{ questionId: 'q1', optionIds: ['a'] }], 1));
    const responses = [{ questionId: 'q1', optionIds: ['a'], answer: 'PostgreSQL' }];
    expect(question).toEqual({
      ...expired,
      revision: 3,
      lateResponses: [{ responses, answeredBy: { ...by, revision: 1 }, at }],
    });
    expect(effects).toEqual([{ type: 'late-answer', questionId: 'oq-1a2b3c4d', responses }]);
  });

  it('comes once; a second one is a CONFLICT', () => {
    const late = answer([{ questionId: 'q1', optionIds: ['a'] }]);
    const question = transition(aQuestionIn('fallback_applied'), late).question;
    expect(refusalOf(() => transition(question, late)).code).toBe('CONFLICT');
  });

  it('may answer one part now and another later', () => {
    const late = (questionId: string) => answer([{ questionId, answer: 'This one' }]);
    const expired = transition(twoParts(), { type: 'expire', at }).question;
    const first = transition(expired, late('q1')).question;
    const { question } = transition(first, late('q2'));
    expect(latestResponses(question).map(({ answer }) => answer)).toEqual(['This one', 'This one']);
    expect(question.lateResponses).toHaveLength(2);
    expect(refusalOf(() => transition(question, late('q1'))).code).toBe('CONFLICT');
  });
});

it('sorts by creation, the id deciding between two of the same instant', () => {
  const ids = [
    aQuestion({ id: 'oq-b' }),
    aQuestion({ id: 'oq-a' }),
    aQuestion({ id: 'oq-c', createdAt: '2026-02-26T11:59:00+02:00' }),
  ];
  expect(ids.toSorted(byCreation).map(({ id }) => id)).toEqual(['oq-c', 'oq-a', 'oq-b']);
});

it('sorts finer times as pages do, so that no page leaves one out', () => {
  const questions = [
    aQuestion({ id: 'oq-b', createdAt: '2026-02-26T10:00:00.000001Z' }),
    aQuestion({ id: 'oq-a', createdAt: '2026-02-26T10:00:00.000002Z' }),
  ].toSorted(byCreation);
  const first = pageOf(questions, { limit: 1 }, positionOf.question);
  const second = pageOf(questions, { limit: 1, after: first.next }, positionOf.question);
  expect([...first.items, ...second.items]).toEqual(questions);
});

describe('opening', () => {
  const { status: _status, revision: _revision, responses: _responses, ...fields } = anExpiringQuestion();

  it('starts at revision 1, reversible unless declared, and announces itself', () => {
    const { consequence: _consequence, ...undeclared } = fields;
    const { question, effects } = openQuestion(undeclared);
    expect(question).toMatchObject({ status: 'open', revision: 1, consequence: 'reversible', responses: [] });
    expect(effects).toMatchObject([{ type: 'emit', name: 'notification-added', payload: { notification: question } }]);
  });

  it('refuses a fallback on an irreversible question and an expiry without a fallback [X-1/3]', () => {
    const irreversible = refusalOf(() => openQuestion({ ...fields, consequence: 'irreversible' }));
    expect(irreversible.code).toBe('INVALID_INPUT');
    expect(irreversible.message).toContain('fallback is allowed only on a reversible question');
    const { fallback: _fallback, ...bare } = fields;
    expect(refusalOf(() => openQuestion(bare)).message).toContain('expiresAt is allowed only together with a fallback');
  });

  it.each([
    ['neither an option nor a text', { fallback: { reasoning: 'it is safe' } }],
    ['unknown option', { fallback: { optionId: 'z' } }],
    ["'q1' twice", { questions: [...fields.questions, ...fields.questions] }],
    ['more than 20', { questions: Array.from({ length: 21 }, (_, index) => ({ id: `q${index}`, text: 'x' })) }],
    ['neither text nor an option', { questions: [{ id: 'q1', text: 'x', allowText: false }] }],
    ['at least 1', { questions: [] }],
    ['askedBy.agent', { askedBy: { agent: '__proto__', chain: [] } }],
    ['question id', { id: '../../etc/passwd' }],
  ])('refuses: %s', (named, wrong) => {
    const refusal = refusalOf(() => openQuestion({ ...fields, ...wrong }));
    expect(refusal.code).toBe('INVALID_INPUT');
    expect(refusal.message).toContain(named);
  });
});

describe('any sequence of events', () => {
  it('reaches defined outcomes only, and a resolved question changes by one late answer to each part at most', () => {
    const revisions = fc.integer({ min: 1, max: 4 });
    const anyEvents = fc.array(
      fc.tuple(fc.constantFrom(...events), revisions).map(([event, revision]) => ({ ...event, revision })),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(anyEvents, (sequence) => {
        let question: Question = twoParts();
        for (const event of sequence) {
          const before = question;
          question = attempt(question, event);
          expect(z.safeParse(Question, question).success).toBe(true);
          if (before.status === 'open' || question === before) continue;
          expect(before.outcome).toBe('fallback_applied');
          const { lateResponses = [] } = question;
          expect(question).toEqual({ ...before, revision: before.revision + 1, lateResponses });
          const parts = lateResponses.flatMap(({ responses }) => responses.map(({ questionId }) => questionId));
          expect(new Set(parts).size).toBe(parts.length);
        }
      }),
    );
  });

  function attempt(question: Question, event: QuestionEvent): Question {
    try {
      return transition(question, event).question;
    } catch (error) {
      expect(error).toBeInstanceOf(AgentXError);
      return question;
    }
  }
});

describe('parts that were answered by different people [X-8/1]', () => {
  const parts = ['q1', 'q2', 'q3'].map((id) => ({ id, text: 'Which region?' }));
  const ada = { principal: 'ada', channel: 'cli' } as const;
  const bob = { principal: 'bob', channel: 'web' } as const;
  const answers = (question: Question, who: typeof ada | typeof bob, ...ids: string[]) =>
    transition(question, {
      type: 'answer',
      at,
      by: who,
      revision: question.revision,
      responses: ids.map((questionId) => ({ questionId, answer: `${who.principal} says` })),
    }).question;
  const whose = (question: Question) =>
    (question.responses ?? []).map((response) => [response.questionId, answererOf(question, response)?.principal]);

  it('keep each their own, and carry it only where it differs from the whole', () => {
    const question = aQuestion({ questions: parts });
    const both = answers(answers(question, ada, 'q1'), bob, 'q2', 'q3');
    expect(both).toMatchObject({ outcome: 'answered', answeredBy: bob, responses: [{ answeredBy: ada }, {}, {}] });
    expect(both.responses?.slice(1).some((response) => 'answeredBy' in response)).toBe(false);
    const again = answers(answers(answers(question, ada, 'q1'), bob, 'q2'), ada, 'q3');
    expect(whose(again)).toEqual([
      ['q1', 'ada'],
      ['q2', 'bob'],
      ['q3', 'ada'],
    ]);
    const alone = answers(answers(question, ada, 'q1', 'q2'), ada, 'q3');
    expect(alone.responses?.some((response) => 'answeredBy' in response)).toBe(false);
  });

  it('belong to the second who says something else, as long as the question is open', () => {
    const question = aQuestion({ questions: parts });
    expect(whose(answers(answers(question, ada, 'q1', 'q2'), bob, 'q1', 'q3'))).toEqual([
      ['q1', 'bob'],
      ['q2', 'ada'],
      ['q3', 'bob'],
    ]);
  });

  it('stay theirs when another person declines the rest, or the clock decides it', () => {
    const question = answers(anExpiringQuestion({ questions: parts, fallback: { text: 'EU' } }), ada, 'q2');
    const declined = transition(question, { type: 'decline', at, by: bob, revision: question.revision }).question;
    expect(declined).toMatchObject({ answeredBy: bob, responses: [{ questionId: 'q2', answeredBy: ada }] });
    expect(outcomeOf(declined, 'q1')).toBe('declined');
    expect(outcomeOf(declined, 'q2')).toBe('answered');
    const expired = transition(question, { type: 'expire', at: '2026-02-26T10:05:00.000Z' }).question;
    expect(whose(expired)).toEqual([
      ['q2', 'ada'],
      ['q1', 'agent-x'],
      ['q3', 'agent-x'],
    ]);
    expect(parts.map(({ id }) => outcomeOf(expired, id))).toEqual(['fallback_applied', 'answered', 'fallback_applied']);
  });

  it('stay theirs when nobody ends the question: its asker is gone, or no person is there [X-8/1]', () => {
    for (const type of ['supersede', 'unreachable'] as const) {
      const question = answers(aQuestion({ questions: parts }), ada, 'q2');
      const { question: ended } = transition(question, { type, at, reason: 'it is gone' });
      expect(ended).not.toHaveProperty('answeredBy');
      expect(whose(ended)).toEqual([['q2', 'ada']]);
      const late = { type: 'answer', at, by: bob, revision: ended.revision, responses: [] } as const;
      expect(() => transition(ended, late)).toThrow(/is already (?:superseded|unreachable)\.$/);
    }
  });

  it('cannot be signed by another person', () => {
    const response = { questionId: 'q1', answer: 'EU', answeredBy: bob };
    const { question } = transition(aQuestion({ questions: parts }), {
      type: 'answer',
      at,
      by: ada,
      revision: 1,
      responses: [response],
    });
    expect(whose(question)).toEqual([['q1', 'ada']]);
  });
});
