import { describe, expect, it } from 'vitest';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { refusalOf } from '../../test/builders/refusal.js';
import { isExpired, type Question } from './question.js';
import { hasOrigin, MAX_TYPING_MS, noteAttached, noteSettled, noteTyping, TYPING_MS } from './question-notes.js';
import { transition } from './question-transition.js';
import { toEpochMs } from './timestamp.js';

const start = toEpochMs('2026-02-26T10:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const typed = (question: Question, seconds: number) => noteTyping(question, { principal: 'ada', at: at(seconds) });
const secondsLeft = (question: Question, seconds: number) =>
  (toEpochMs(question.expiresAt ?? '') - start) / 1000 - seconds;

describe('a person who types', () => {
  it('stops the clock for as long as they do [X-4/3]', () => {
    // Four and a half of five minutes are gone when they begin.
    let question = anExpiringQuestion();
    for (let second = 270; second < 600; second += 5) question = typed(question, second);
    expect(secondsLeft(question, 595)).toBe(30 + TYPING_MS / 1000);
    expect(isExpired(question, at(595 + 59))).toBe(false);
    expect(isExpired(question, at(595 + 60))).toBe(true);
  });

  it('does so for a quarter of an hour in all [X-4/3]', () => {
    let question = anExpiringQuestion();
    for (let second = 100; second < 4000; second += 20) question = typed(question, second);
    expect(question.typing?.heldMs).toBe(MAX_TYPING_MS);
    expect(question.expiresAt).toBe(at(300 + 900));
  });

  it('comes too late once the time is over, and holds no clock where there is none', () => {
    const due = anExpiringQuestion();
    expect(typed(due, 300)).toBe(due);
    const waiting = aQuestion();
    expect(typed(waiting, 10)).toBe(waiting);
  });

  it('who pauses for long gets only what a keystroke is worth', () => {
    const question = typed(typed(anExpiringQuestion(), 0), 200);
    expect(question.expiresAt).toBe(at(300 + 60));
  });

  it('leaves the revision alone: the answer they write is to the question they see', () => {
    const question = typed(anExpiringQuestion(), 10);
    expect(question.revision).toBe(1);
    const responses = [{ questionId: 'q1', optionIds: ['a'] }];
    const by = { principal: 'bob', channel: 'web' } as const;
    const answered = transition(question, { type: 'answer', at: at(20), by, revision: 1, responses });
    expect(answered.question.outcome).toBe('answered');
  });
});

describe('a draft', () => {
  const draft = (answer: string, principal = 'ada') => ({
    principal,
    at: at(5),
    responses: [{ questionId: 'q1', answer }],
  });

  it('is kept for each person, and replaced by what they type next', () => {
    const question = [draft('My'), draft('Post', 'bob'), draft('MyS')].reduce(noteTyping, aQuestion());
    expect(question.drafts).toEqual([
      { principal: 'bob', at: at(5), responses: [{ questionId: 'q1', answer: 'Post' }] },
      { principal: 'ada', at: at(5), responses: [{ questionId: 'q1', answer: 'MyS' }] },
    ]);
    expect(noteTyping(question, { principal: 'bob', at: at(6), responses: [] }).drafts).toHaveLength(1);
  });

  const version = (name: string, answer: string, replaces: readonly string[]) => ({
    ...draft(answer),
    version: name,
    replaces,
  });
  const textsOf = ({ drafts = [] }: ReturnType<typeof noteTyping>) =>
    drafts.map(({ responses }) => responses[0]?.answer);

  it('of a person who writes in two places stays in two versions, until one is made from both', () => {
    const both = [version('a1', 'My', []), version('b1', 'Post', []), version('a2', 'MyS', ['a1'])];
    const question = both.reduce(noteTyping, aQuestion());
    expect(textsOf(question)).toEqual(['Post', 'MyS']);
    const merged = noteTyping(question, version('a3', 'MyS, Post', ['a2', 'b1']));
    expect(textsOf(merged)).toEqual(['MyS, Post']);
    expect(merged.drafts?.[0]?.replaces).toEqual(['a2', 'b1', 'a1']);
    expect(textsOf(noteTyping(question, { ...version('x', '', ['b1']), responses: [] }))).toEqual(['MyS']);
    expect(textsOf(noteTyping(question, draft('Whatever')))).toEqual(['Whatever']);
  });

  it('that arrives twice, or after what was made from it, is there once', () => {
    const late = [version('a2', 'MyS', ['a1']), version('a1', 'My', []), version('a2', 'MyS', ['a1'])];
    expect(textsOf(late.reduce(noteTyping, aQuestion()))).toEqual(['MyS']);
  });

  it('that says the same as another of that person is that one, by its newer name', () => {
    const again = [version('a1', 'My', []), version('b1', 'Post', []), version('a2', 'My', [])];
    const question = again.reduce(noteTyping, aQuestion());
    expect(textsOf(question)).toEqual(['Post', 'My']);
    expect(question.drafts?.[1]).toMatchObject({ version: 'a2', replaces: ['a1'] });
    expect(textsOf(noteTyping(question, { ...version('c1', 'Post', []), principal: 'bob' }))).toHaveLength(3);
  });

  it('outlives the question', () => {
    const ended = aQuestion({ status: 'resolved', outcome: 'answered' });
    expect(noteTyping(ended, draft('MySQL')).drafts).toHaveLength(1);
  });

  it('may be unfinished, but not without bounds', () => {
    expect(noteTyping(aQuestion(), draft('')).drafts).toHaveLength(1);
    for (const responses of [[{ questionId: 'q9' }], [{ questionId: 'q1', answer: 'x'.repeat(2001) }]]) {
      expect(refusalOf(() => noteTyping(aQuestion(), { ...draft(''), responses })).code).toBe('INVALID_INPUT');
    }
  });
});

describe('an agent that asks the same', () => {
  const other = { origin: 'run-1/plan/1/question/0', agent: 'planner', blocking: true, blocksTask: false };

  it('is noted once', () => {
    const question = noteAttached(aQuestion({ origin: 'run-1/x' }), other);
    expect(question.attached).toEqual([{ origin: other.origin, agent: 'planner' }]);
    expect(noteAttached(question, other)).toBe(question);
    expect([hasOrigin(question, other.origin), hasOrigin(question, 'run-1/x'), hasOrigin(question, 'y')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('may have a task that the question now blocks, unless it has ended', () => {
    expect(noteAttached(aQuestion(), { ...other, blocksTask: true }).blocksTask).toBe(true);
    const ended = aQuestion({ status: 'resolved', outcome: 'answered' });
    expect(noteAttached(ended, { ...other, blocksTask: true }).blocksTask).toBeUndefined();
  });
});

describe('a question that has ended', () => {
  it('is unsettled until what follows from it is done', () => {
    const { question } = transition(aQuestion({ blocksTask: true }), { type: 'supersede', at: at(1) });
    expect(question.unsettled).toBe(true);
    expect(noteSettled(question)).not.toHaveProperty('unsettled');
  });
});
