import { expect, it } from 'vitest';
import { CONFIDENT, sameQuestion } from './similar-question.js';

const WHICH = { issueNumber: 42, topic: 'Database', question: 'Which one?' };

it('takes a short question for the same where every word of it and of its topic is [X-9/1]', () => {
  expect(sameQuestion(WHICH, { ...WHICH, topic: 'database', question: 'which one' })).toBeGreaterThanOrEqual(CONFIDENT);
});

it.each([
  ['another topic', { topic: 'Queue' }],
  ['another issue', { issueNumber: 43 }],
  ['another word', { question: 'Which two?' }],
])('takes it for another question with %s', (_, other) => {
  expect(sameQuestion(WHICH, { ...WHICH, ...other })).toBe(0);
});
