import { expect, it } from 'vitest';
import { asksHumans, requestOf } from './asks-humans.js';

const question = { text: 'Which colour?' };

it.each([
  ['says that it needs none', { answer: 'Blue.', needs_clarification: false }],
  ['leaves the field empty', { answer: 'Blue.', needs_clarification: null }],
  ['says so in a word', { answer: 'Blue.', needs_clarification: 'No.' }],
  ['writes nothing', { answer: 'Blue.', needs_clarification: ' ' }],
  ['lists nothing', { answer: 'Blue.', needs_clarification: [], open_questions: [] }],
  ['fills in nothing', { answer: 'Blue.', needs_clarification: {} }],
  ['lists that there is none', { answer: 'Blue.', open_questions: ['None'] }],
  ['lists a question that is none', { answer: 'Blue.', openQuestions: [{ text: 'N/A' }, { question: 'none.' }] }],
  ['says so in a sentence', { answer: 'Blue.', open_questions: ['No open questions at this time.'] }],
  ['says so at length', { answer: 'Blue.', open_questions: ['There are no open questions remaining.'] }],
  ['says that none is needed', { answer: 'Blue.', needs_clarification: 'No further clarification needed.' }],
  ['says that it does not apply', { answer: 'Blue.', open_questions: ['Not applicable'] }],
])('a model that fills in every field and %s asks no human', (_, reply) => {
  expect(requestOf(reply)).toBeUndefined();
  expect(asksHumans(reply)).toBe(false);
});

it.each([
  'None of these fit: which one?',
  'No questions left?',
  'No colour was named. Which?',
  'Nothing is said about retention.',
])('asks a human with %j', (text) => {
  expect(asksHumans({ open_questions: [text] })).toBe(true);
  expect(requestOf({ needs_clarification: text })).toBe(text);
});

it('says with `true` beside its questions only that there are some', () => {
  const reply = { needs_clarification: true, open_questions: [question] };
  expect(requestOf(reply)).toBeUndefined();
  expect(asksHumans(reply)).toBe(true);
});

it('says with `true` alone that it wants to ask, and is told what is missing', () => {
  expect(requestOf({ needs_clarification: true })).toBe(true);
});
