import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { askedIn, parseOpenQuestions } from './open-questions.js';

const now = '2026-02-26T10:00:00.000Z';

function read(reply: unknown) {
  let made = 0;
  return parseOpenQuestions(reply, { makeId: () => `made-${++made}`, now: () => now });
}

describe('the questions of a reply', () => {
  it('stand under either spelling [OQ-1/1] [OQ-1/2]', () => {
    const question = { id: 'q1', text: 'Which database?', createdAt: '2026-01-01T00:00:00Z' };
    expect(read({ open_questions: [question] })).toEqual([question]);
    expect(read({ openQuestions: [question] })).toEqual([question]);
  });

  it('get an id and the present time where they have none [OQ-1/3] [OQ-1/5]', () => {
    expect(read({ open_questions: [{ text: 'Which?' }, { text: 'When?', createdAt: 'yesterday', id: null }] })).toEqual(
      [
        { id: 'made-1', text: 'Which?', createdAt: now },
        { id: 'made-2', text: 'When?', createdAt: now },
      ],
    );
  });

  it('may be strings or have the widespread shape [OQ-1/6]', () => {
    const widespread = {
      question: 'Which?',
      header: 'Database',
      multiSelect: true,
      options: [{ label: 'PostgreSQL', description: 'for teams' }, 'SQLite'],
    };
    expect(read({ open_questions: ['Why?', widespread] })).toEqual([
      { id: 'made-1', text: 'Why?', createdAt: now },
      {
        id: 'made-2',
        text: 'Which?',
        createdAt: now,
        header: 'Database',
        multiSelect: true,
        options: [
          { id: 'a', label: 'PostgreSQL', description: 'for teams' },
          { id: 'b', label: 'SQLite' },
        ],
      },
    ]);
    expect(read({ open_questions: 'Just one?' })).toHaveLength(1);
  });

  it('are none where a reply has none', () => {
    for (const reply of [undefined, null, 'text', 7, [], {}, { open_questions: null }, { open_questions: [] }]) {
      expect(read(reply)).toEqual([]);
    }
  });

  it('may list their options by id', () => {
    const options = { a: 'PostgreSQL', b: { label: 'SQLite', description: 'no server' } };
    const [part] = read({ open_questions: [{ text: 'Which?', options, fallback: 'b' }] });
    expect(part).toMatchObject({
      options: [
        { id: 'a', label: 'PostgreSQL' },
        { id: 'b', label: 'SQLite', description: 'no server' },
      ],
      fallback: { optionId: 'b' },
    });
  });

  it('keep ids that were given and make the others around them', () => {
    const options = [{ label: 'x' }, { id: 'a', label: 'y' }, { id: 'a', label: 'z' }, { id: 7, label: 'w' }];
    const [part] = read({ open_questions: [{ text: 'Which?', options }] });
    expect(part?.options?.map((option) => option.id)).toEqual(['a-2', 'a', 'c', '7']);
  });

  it('without text are refused, and the error says which [OQ-1/4]', () => {
    for (const wrong of [{}, { id: 'q2' }, 7, { text: 7 }, { text: ' ' }, ['nested']]) {
      const refusal = refusalOf(() => read({ open_questions: ['fine', wrong] }));
      expect(refusal.code).toBe('INVALID_INPUT');
    }
    expect(refusalOf(() => read({ open_questions: ['fine', { id: 'q2' }] })).message).toContain('Open question 2');
  });

  it('are at most 20, with at most 12 options each [OQ-1/7]', () => {
    const questions = (count: number) => ({ open_questions: Array.from({ length: count }, () => 'Which?') });
    const options = (count: number) => ({
      open_questions: [{ text: 'x', options: Array.from({ length: count }, () => 'o') }],
    });
    expect(read(questions(20))).toHaveLength(20);
    expect(refusalOf(() => read(questions(21))).message).toContain('up to 20');
    expect(read(options(12))[0]?.options).toHaveLength(12);
    expect(refusalOf(() => read(options(13))).message).toContain('up to 12');
  });

  it('survive hostile content', () => {
    const reply: unknown = JSON.parse(
      '{"open_questions":[{"text":"x","__proto__":{"polluted":true}}],"__proto__":{"y":1}}',
    );
    expect(refusalOf(() => read(reply)).message).toContain('__proto__ is not an allowed key');
    expect(refusalOf(() => read({ open_questions: [{ text: 'x', header: 'a\0' }] })).message).toContain('NUL');
    expect(refusalOf(() => read({ open_questions: ['x'.repeat(2001)] })).code).toBe('INVALID_INPUT');
    expect(refusalOf(() => read({ open_questions: [{ text: 'x', options: 'a' }] })).code).toBe('INVALID_INPUT');
    expect(refusalOf(() => read({ open_questions: [{ text: 'x', options: [{}] }] })).code).toBe('INVALID_INPUT');
    expect(refusalOf(() => read({ open_questions: [{ text: 'x', header: {} }] })).code).toBe('INVALID_INPUT');
  });
});

describe('what cannot be taken back', () => {
  const batchOf = (reply: object) => askedIn(reply, { makeId: () => 'q1', now: () => now });
  const drop = { text: 'Drop the old orders?', options: ['Yes', 'No'] };
  const fallback = { option: 'b', reasoning: 'it keeps them' };

  it.each([
    { consequence: 'irreversible' },
    { consequence: 'Irreversible' },
    { consequence: 'IRREVERSIBLE - the rows are gone' },
    { consequence: 'cannot be undone' },
    { consequences: 'not reversible' },
    { reversibility: 'one-way' },
    { reversibility: 'non-reversible' },
    { irreversible: true },
    { irreversible: 'yes' },
    { is_irreversible: true },
    { isIrreversible: 'true' },
    { reversible: false },
    { is_reversible: 'no' },
    { can_be_undone: false },
    { consequence: "isn't reversible" },
    { consequence: 'not easily reversible' },
    { consequence: 'can never be undone' },
    { consequence: 'can\u2019t be rolled back' },
    { consequence: 'permanent' },
    { irreversible: 1 },
    { reversible: 'never' },
    { 'one-way': true },
    { consequence_type: 'irreversible' },
    { impact: 'irreversible' },
    { tags: ['data', 'Irreversible'] },
    { not_reversible: true },
    { nonReversible: true },
    { irrevocable: 'yes' },
    { revocable: false },
    { rollback_possible: false },
    { metadata: { irreversible: true } },
    { meta: { consequence: 'irreversible' } },
  ])('is understood in the part and beside it, and takes no fallback: %j [X-1/2] [X-1/3]', (wording) => {
    for (const reply of [{ open_questions: [{ ...drop, ...wording }] }, { open_questions: [drop], ...wording }]) {
      expect(batchOf(reply).consequence).toBe('irreversible');
      expect(batchOf(reply).parts).toMatchObject([{ text: drop.text }]);
    }
    for (const reply of [
      { open_questions: [{ ...drop, ...wording, fallback }] },
      { open_questions: [{ ...drop, ...wording }], fallback },
      { open_questions: [{ ...drop, ...wording, safe_fallback: 'No' }] },
      { open_questions: [{ ...drop, fallback }], ...wording },
      { open_questions: [drop], ...wording, fallback },
      { open_questions: [{ ...drop, fallback: { ...fallback, ...wording } }] },
      { open_questions: [{ ...drop, options: ['Yes', { id: 'b', label: 'No', ...wording }], fallback }] },
    ]) {
      const { code, message } = refusalOf(() => batchOf(reply));
      expect(code).toBe('INVALID_INPUT');
      expect(message).toContain('leave it out, and the question waits for a human');
    }
  });

  it('makes everything wait that is asked with it', () => {
    const logo = { text: 'A logo?', options: ['Yes', 'No'], fallback };
    for (const grave of [{ ...drop, irreversible: true }, 'This cannot be undone. Drop the old orders?']) {
      expect(batchOf({ open_questions: [logo, grave] }).consequence).toBe('irreversible');
    }
  });

  it('is said of all, and what contradicts it is refused [X-1/3]', () => {
    for (const more of [{}, { fallback }]) {
      const reply = { open_questions: [{ ...drop, reversible: true, ...more }], consequence: 'irreversible' };
      expect(refusalOf(() => batchOf(reply)).code).toBe('INVALID_INPUT');
    }
  });

  it('is heard in the words of the question, of an option and of what stands for a fallback', () => {
    const grave = { text: 'Drop the old orders? This cannot be undone.', options: ['Yes', 'No'] };
    expect(batchOf({ open_questions: [grave] }).consequence).toBe('irreversible');
    expect(refusalOf(() => batchOf({ open_questions: [{ ...grave, fallback }] })).code).toBe('INVALID_INPUT');
    const marked = { ...drop, options: ['Drop them (irreversible)', 'Keep them'] };
    expect(batchOf({ open_questions: [marked] }).consequence).toBe('irreversible');
    expect(batchOf({ open_questions: [{ ...marked, fallback: 'b' }] }).consequence).toBe('reversible');
    for (const taken of ['a', 'A', 'option a', 'a) Drop them', { option: '(a)' }, 'drop them (irreversible)']) {
      expect(refusalOf(() => batchOf({ open_questions: [{ ...marked, fallback: taken }] })).code).toBe('INVALID_INPUT');
    }
    expect(batchOf({ open_questions: [{ ...drop, fallback: 'none: irreversible' }] })).toMatchObject({
      consequence: 'irreversible',
      parts: [{ text: drop.text }],
    });
    for (const text of [
      'Deleting the table is final and cannot be rolled back. Shall we?',
      'Drop the old orders? We cannot undo it',
      'Publish the keys now? There is no way back.',
      'Drop the old orders? (irreversible)',
      'Irreversible: shall the old orders be dropped?',
      '[IRREVERSIBLE] Shall the old orders be dropped?',
      'Publishing is irreversible. Shall we?',
      'This is an irreversible decision. Shall we?',
      'This is a one-way door: shall we?',
      'It is impossible to undo this. Shall we?',
      'This cannot easily be undone. Shall we?',
      'This choice is final. Shall we?',
      '(cannot be undone) Drop the old orders?',
      'Drop the old orders (non-reversible)?',
      'Drop the old orders? You will not be able to undo this.',
      'Drop the old orders? There is no way to undo that.',
      'Drop the old orders? Undo is not possible.',
      'Drop the old orders? No undo.',
      'Drop the old orders? NOT REVERSIBLE',
      'Drop the old orders? Reversible: no',
      'Drop the old orders? consequence=irreversible',
      'Shall I irreversibly delete the table?',
      'Drop the old orders? Once dropped, they are gone forever.',
      'Drop the old orders? The data loss is permanent.',
    ]) {
      expect(batchOf({ open_questions: [{ text, options: ['Yes', 'No'] }] }).consequence, text).toBe('irreversible');
    }
    expect(batchOf({ open_questions: ['Should deletions be irreversible?'] }).consequence).toBe('reversible');
    expect(batchOf({ open_questions: ['What if a migration cannot be rolled back?'] }).consequence).toBe('reversible');
    for (const text of [
      'Do you want a ban that is permanent?',
      'Which migrations: reversible, irreversible?',
      'This is not irreversible. Shall we?',
      'Shall there be no undo?',
      'Which button: undo or no undo?',
      'Should deleted accounts be gone forever?',
      'Reversible: yes. Shall we?',
    ]) {
      expect(batchOf({ open_questions: [text] }).consequence, text).toBe('reversible');
    }
  });

  it.each([
    { header: 'Irreversible' },
    { description: 'The rows are gone. This cannot be undone.' },
    { context: 'There is no undo.' },
    { impact: 'high, irreversible' },
    { options: [{ label: 'Drop', cons: ['It cannot be undone'] }, 'Keep'] },
  ])('is heard in what stands beside the text of the question: %j [X-1/2]', (more) => {
    expect(batchOf({ open_questions: [{ ...drop, ...more }] }).consequence).toBe('irreversible');
  });

  it.each([
    { irreversible_action: true },
    { irreversibleDecision: true },
    { revertible: false },
    { reversable: 'no' },
    { decision_type: 'one-way door' },
    { meta: { decision: { irreversible: true } } },
    { consequence: 'ir-reversible' },
    { cannot_undo: true },
    { noUndo: 'yes' },
    { no_rollback: true },
    { point_of_no_return: true },
    { irreversibility: true },
    { irreversability: 'yes' },
    { reversability: 'one-way' },
    { can_revert: false },
    { canRollback: 'no' },
  ])('is understood in other words and deeper down: %j [X-1/2]', (wording) => {
    expect(batchOf({ open_questions: [{ ...drop, ...wording }] }).consequence).toBe('irreversible');
    expect(batchOf({ open_questions: [drop], ...wording }).consequence).toBe('irreversible');
  });

  it.each([
    { context: 'There is no undo.' },
    { header: 'Irreversible decision' },
    { impact: 'irreversible data loss' },
    { risk: 'high - irreversible' },
  ])('is heard in what stands beside the questions: %j [X-1/2]', (more) => {
    expect(batchOf({ open_questions: [drop], ...more }).consequence).toBe('irreversible');
    expect(refusalOf(() => batchOf({ open_questions: [{ ...drop, fallback }], ...more })).code).toBe('INVALID_INPUT');
  });

  it('is not heard in what the reply says to other agents', () => {
    const said = 'The old migration cannot be undone.';
    expect(batchOf({ open_questions: [{ ...drop, fallback }], text: said, answer: said }).consequence).toBe(
      'reversible',
    );
  });

  it.each([
    { reversible: 'with effort' },
    { reversibility: 'none' },
    { reversibility: 0 },
    { irreversible: 'partly' },
    { consequence: ['irreversible'] },
    { consequence: { type: 'irreversible' } },
    { context: 'This cannot be undone.' },
    { risk: 'high - irreversible' },
    { warning: ['It cannot be undone.'] },
  ])('is no fallback if the choice itself says so, or cannot be understood: %j [X-1/3]', (wording) => {
    const options = ['Yes', { id: 'b', label: 'No', ...wording }];
    expect(refusalOf(() => batchOf({ open_questions: [{ ...drop, options, fallback }] })).code).toBe('INVALID_INPUT');
    expect(
      refusalOf(() => batchOf({ open_questions: [{ ...drop, fallback: { ...fallback, ...wording } }] })).code,
    ).toBe('INVALID_INPUT');
  });

  it.each([
    { consequences: 'Builds are slower.' },
    { reasoning: 'The other choice cannot be undone.' },
    { pros: ['Yes cannot be undone'] },
    { reversible: true },
  ])('may be a fallback whose choice says something else: %j', (wording) => {
    const options = ['Yes', { id: 'b', label: 'No', ...wording }];
    expect(batchOf({ open_questions: [{ ...drop, options, fallback }] }).consequence).toBe('reversible');
  });

  it('is no fallback of its own words [X-1/3]', () => {
    const taking = (text: unknown) => () => batchOf({ open_questions: [{ text: 'What now?', fallback: text }] });
    expect(refusalOf(taking('Drop the rows (irreversible)')).code).toBe('INVALID_INPUT');
    expect(refusalOf(taking({ text: 'Drop the rows. This cannot be undone.' })).code).toBe('INVALID_INPUT');
    expect(taking('Keep the rows, because dropping them cannot be undone')().consequence).toBe('reversible');
  });

  it.each([false, '', 'none', 'N/A', 'No fallback', 'wait for a human', { option: 'none' }])(
    'needs no fallback, and %j is none',
    (none) => {
      const { parts, consequence } = batchOf({ open_questions: [{ ...drop, irreversible: true, fallback: none }] });
      expect(consequence).toBe('irreversible');
      expect(parts[0]).not.toHaveProperty('fallback');
    },
  );

  it.each(['fallback', 'safe_fallback', 'safeFallback', 'fallback_option', 'fallbackOption'])(
    'has its fallback refused under the name %s',
    (name) => {
      const reply = { open_questions: [{ ...drop, irreversible: true, [name]: 'b' }] };
      expect(refusalOf(() => batchOf(reply)).message).toContain('leave it out');
    },
  );

  it.each([
    { consequence: 'reversible' },
    { irreversible: false },
    { reversible: 'yes' },
    { reversibility: 'not irreversible' },
    { consequence: null },
  ])('is nothing that can be: %j', (wording) => {
    expect(batchOf({ open_questions: [{ ...drop, ...wording, fallback }] }).consequence).toBe('reversible');
  });

  it.each([
    { consequence: 'users may complain' },
    { irreversible: 'perhaps' },
    { irreversibility: 'high' },
    { reversible: true, irreversible: true },
    { consequence: 7 },
    { consequence: 'reversible: false' },
    { consequence: 'partially reversible' },
    { reversibility: 'reversible only with a backup' },
    { consequence: 'reversible until it is deployed' },
  ])('is not guessed: %j', (wording) => {
    for (const reply of [{ open_questions: [{ ...drop, ...wording }] }, { open_questions: [drop], ...wording }]) {
      expect(refusalOf(() => batchOf(reply)).code).toBe('INVALID_INPUT');
    }
  });

  it('is no fallback whose risk is said to be so', () => {
    const risk = 'high - irreversible loss of data';
    expect(refusalOf(() => batchOf({ open_questions: [{ ...drop, fallback: { ...fallback, risk } }] })).code).toBe(
      'INVALID_INPUT',
    );
  });
});

describe('what models write in another way', () => {
  const partOf = (question: object) =>
    askedIn({ open_questions: [question] }, { makeId: () => 'q1', now: () => now }).parts[0];

  it('is a fallback to an option whose id is a number', () => {
    const options = [
      { id: 1, label: 'A logo' },
      { id: 2, label: 'No logo' },
    ];
    for (const fallback of [2, { optionId: 2 }, { option: 2 }]) {
      expect(partOf({ question: 'A logo?', options, fallback })?.fallback).toEqual({ optionId: '2' });
    }
  });

  it('is the letter of an option in its label', () => {
    const options = ['a) A logo', '(B) No logo', 'D: a drawing'];
    expect(partOf({ question: 'A logo?', options })?.options?.map(({ label }) => label)).toEqual([
      'A logo',
      'No logo',
      'D: a drawing',
    ]);
  });

  it('is a yes or no in quotes', () => {
    const question = { question: 'Which?', multiSelect: 'True', options: [{ label: 'A logo', recommended: 'false' }] };
    expect(partOf(question)).toMatchObject({ multiSelect: true, options: [{ recommended: false }] });
    const reply = { open_questions: [{ ...question, blocking: 'false' }] };
    expect(askedIn(reply, { makeId: () => 'q1', now: () => now }).blocking).toBe(false);
  });

  it('is a long question, read in time that grows with it', () => {
    const before = process.cpuUsage();
    const options = [{ label: 'A logo', description: `${'a'.repeat(100_000)}?` }];
    expect(partOf({ question: 'A logo?', options })?.options).toHaveLength(1);
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('what is said beside the questions', () => {
  const batchOf = (reply: object) => askedIn(reply, { makeId: () => 'q1', now: () => now });

  it('holds for each that says nothing else', () => {
    const reply = { open_questions: [{ text: 'A logo?', options: ['Yes', 'No'] }], blocking: false, fallback: 'No' };
    expect(batchOf(reply)).toMatchObject({ blocking: false, parts: [{ fallback: { optionId: 'b' } }] });
    expect(batchOf({ ...reply, open_questions: ['A logo?', { text: 'A name?', blocking: true }] }).blocking).toBe(true);
    const own = { text: 'A name?', options: ['Yes', 'No'], fallback: 'Yes' };
    const parts = (open_questions: readonly unknown[], fallback: unknown) =>
      batchOf({ open_questions, fallback }).parts;
    expect(parts([own], 'No')).toMatchObject([{ fallback: { optionId: 'a' } }]);
    expect(parts([own, 'A colour?'], 'Neither of them')).toMatchObject([
      { fallback: { optionId: 'a' } },
      { fallback: { text: 'Neither of them' } },
    ]);
    const [first, second] = parts(['A colour?', { ...own, fallback: null }], { option: 'b', reasoning: 'later' });
    expect(first).not.toHaveProperty('fallback');
    expect(second).toMatchObject({ fallback: { optionId: 'b', reasoning: 'later' } });
  });
});
