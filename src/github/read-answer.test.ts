import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import { answerIn, readComments, targetOf } from './read-answer.js';

describe('a comment of a person', () => {
  it.each([
    ['/agentx answer b', { verb: 'answer', text: 'b' }],
    [
      '/AgentX Answer  oq-1a2b b, because it is smaller',
      { verb: 'answer', about: 'oq-1a2b', text: 'b, because it is smaller' },
    ],
    [
      '/agentx answer CLR-42-001: use SQLite\r\nfor now',
      { verb: 'answer', about: 'CLR-42-001', text: 'use SQLite\nfor now' },
    ],
    ['/agentx decline', { verb: 'decline', text: '' }],
    ['/agentx anser b', { verb: 'unknown', text: 'b' }],
    ['> question `oq-99` of ours\n\nUse SQLite.', { verb: 'words', about: 'oq-99', text: 'Use SQLite.' }],
    ['Use SQLite.', { verb: 'words', text: 'Use SQLite.' }],
  ])('is read: %j', (body, read) => {
    expect(readComments(body)).toEqual([read]);
  });

  it.each([
    ['We talked about it.\n\n/agentx answer b', { verb: 'answer', text: 'b' }],
    ['/lgtm\n\n  /agentx answer b\n\nIt is smaller.', { verb: 'answer', text: 'b\n\nIt is smaller.' }],
    ['> /agentx answer a\n\nNo:\n/agentx answer b', { verb: 'answer', text: 'b' }],
    ['```\n/agentx answer a\n```\n/agentx answer b', { verb: 'answer', text: 'b' }],
    ['~~~~ sh\n~~~\n/agentx answer a\n~~~~\n/agentx decline', { verb: 'decline', text: '' }],
    ['```sqlite``` is fine\n/agentx answer b', { verb: 'answer', text: 'b' }],
    ['<!-- write\n/agentx answer a\nbelow -->\n/agentx answer b', { verb: 'answer', text: 'b' }],
    ['\u200b/agentx answer b\u2060', { verb: 'answer', text: 'b' }],
    ['\ufeff\u200bb\u200b', { verb: 'words', text: 'b' }],
  ])('is read by the command in any of its lines that are its own: %j', (body, read) => {
    expect(readComments(body)).toEqual([read]);
  });

  it('may hold several commands', () => {
    expect(readComments('Both:\n/agentx answer oq-1 b\nIt is smaller.\n\n/agentx decline oq-2')).toEqual([
      { verb: 'answer', about: 'oq-1', text: 'b\nIt is smaller.' },
      { verb: 'decline', about: 'oq-2', text: '' },
    ]);
  });

  it('shows a command in code, which is none: its words are all of it', () => {
    const text = 'Like this:\n```\n/agentx answer a\n> x\n```';
    expect(readComments(text)).toEqual([{ verb: 'words', text }]);
    expect(readComments('Type `/agentx answer a`')).toEqual([{ verb: 'words', text: 'Type `/agentx answer a`' }]);
  });

  it.each(['', '> only a quotation', '/lgtm', '/assign @octocat', '<!-- /agentx answer a -->'])(
    'is for others: %j',
    (body) => {
      expect(readComments(body)).toEqual([]);
    },
  );
});

const options = [
  { id: 'approve', label: 'Go ahead' },
  { id: 'reject', label: 'Stop' },
];
const question = aQuestion({ questions: [{ id: 'q1', text: 'May I?', options }] });

describe('the words of an answer', () => {
  it('name options by the letters that are shown, whatever their ids are', () => {
    expect(answerIn(question, 'b')).toEqual({ questionId: 'q1', optionIds: ['reject'] });
    expect(answerIn(question, 'A)')).toEqual({ questionId: 'q1', optionIds: ['approve'] });
    for (const slip of ['c', 'z)']) expect(() => answerIn(question, slip)).toThrow('The options are a, b.');
    expect(answerIn(question, 'a and b')).toEqual({ questionId: 'q1', text: 'a and b' });
    expect(answerIn(question, 'Yes, go ahead.')).toEqual({ questionId: 'q1', text: 'Yes, go ahead.' });
  });

  it('may have a reason beside the letter, and no condition', () => {
    const chosen = (text: string) => ({ questionId: 'q1', optionIds: ['reject'], text });
    for (const text of ['b, because it is dangerous', 'b\n\nIt is dangerous.', '(b) It is dangerous.']) {
      expect(answerIn(question, text)).toEqual(chosen(text));
    }
    expect(answerIn(question, 'Option b, please')).toEqual({ questionId: 'q1', optionIds: ['reject'] });
    for (const text of ['a, but only on Monday', 'a\n\nunless it rains', 'a or b', 'a good idea']) {
      expect(answerIn(question, text)).toEqual({ questionId: 'q1', text });
    }
  });

  it('may have a smile beside them', () => {
    expect(answerIn(question, 'b \u{1f44d}')).toEqual({ questionId: 'q1', optionIds: ['reject'] });
    expect(answerIn(question, '\u{1f6d1}\ufe0f Stop \u{1f44d}\u{1f3fd}')).toEqual({ questionId: 'q1', text: 'Stop' });
    for (const text of ['On Monday \u{1f680}', '\u{1f44d}']) {
      expect(answerIn(question, text)).toEqual({ questionId: 'q1', text });
    }
  });

  it('name the part of a question that has several', () => {
    const parts = ['q1', 'q2'].map((id) => ({ id, text: id, options: [{ id: 'x', label: 'X' }] }));
    const both = aQuestion({ questions: parts });
    expect(answerIn(both, 'q2 a')).toEqual({ questionId: 'q2', optionIds: ['x'] });
    expect(() => answerIn(both, 'Whatever')).toThrow('The question has 2 parts.');
    const responses = [{ questionId: 'q1', optionIds: ['x'] }];
    expect(() => answerIn({ ...both, responses }, 'a')).toThrow('The question has 2 parts.');
    expect(() => answerIn({ ...both, status: 'resolved', outcome: 'declined' }, 'a')).toThrow('has ended');
  });
});

describe('the question that a comment is about', () => {
  const at = '2026-02-26T10:00:00Z';
  const posted = (id: string, more = {}) => ({ question: aQuestion({ id, ...more }), postedAt: at, postedId: 10 });
  const words = (created: string, about?: string) => ({
    verb: 'words' as const,
    text: 'Use SQLite.',
    id: 11,
    created,
    ...(about !== undefined && { about }),
  });

  it('is the only open one that was there before', () => {
    expect(targetOf(words('2026-02-26T10:00:01Z'), [posted('oq-1')])).toMatchObject({ question: { id: 'oq-1' } });
    expect(targetOf(words('2026-02-26T09:59:59Z'), [posted('oq-1')])).toBeUndefined();
    expect(targetOf(words(at), [posted('oq-1')])).toMatchObject({ question: { id: 'oq-1' } });
    expect(targetOf({ ...words(at), id: 9 }, [posted('oq-1')])).toBeUndefined();
    expect(targetOf(words(at), [posted('oq-1'), posted('oq-2')])).toBeUndefined();
    expect(targetOf(words(at, 'oq-2'), [posted('oq-1'), posted('oq-2')])).toMatchObject({ question: { id: 'oq-2' } });
  });

  it('must be named by a command if there are several', () => {
    const command = { verb: 'answer' as const, text: 'b', id: 11, created: at };
    expect(targetOf(command, [posted('oq-1'), posted('oq-2')])).toEqual({ ids: ['oq-1', 'oq-2'] });
    expect(targetOf(command, [])).toEqual({ ids: [] });
    expect(targetOf({ ...command, about: 'oq-9' }, [posted('oq-1')])).toEqual({ ids: ['oq-1'] });
  });

  it('is not named by a beginning that several open ones have', () => {
    const command = { verb: 'answer' as const, text: 'b', id: 11, created: at };
    const bothQuestions = [posted('oq-1a2b'), posted('oq-1a3c')];
    expect(targetOf({ ...command, about: 'oq-1a' }, bothQuestions)).toEqual({ ids: ['oq-1a2b', 'oq-1a3c'] });
    expect(targetOf(words(at, 'oq-1a'), bothQuestions)).toBeUndefined();
    expect(targetOf({ ...command, about: 'oq-1A3' }, bothQuestions)).toMatchObject({ question: { id: 'oq-1a3c' } });
    const allQuestions = [posted('oq-1a'), ...bothQuestions];
    expect(targetOf({ ...command, about: 'oq-1a' }, allQuestions)).toMatchObject({ question: { id: 'oq-1a' } });
  });
});
