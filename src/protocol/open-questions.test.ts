import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { parseOpenQuestions } from './open-questions.js';

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
    const [part] = read(reply);
    expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
    expect(refusalOf(() => read({ open_questions: ['x'.repeat(2001)] })).code).toBe('INVALID_INPUT');
    expect(refusalOf(() => read({ open_questions: [{ text: 'x', options: 'a' }] })).code).toBe('INVALID_INPUT');
    expect(refusalOf(() => read({ open_questions: [{ text: 'x', options: [{}] }] })).code).toBe('INVALID_INPUT');
    expect(refusalOf(() => read({ open_questions: [{ text: 'x', header: {} }] })).code).toBe('INVALID_INPUT');
  });
});
