import { expect, it } from 'vitest';
import { asksHumans, requestOf } from './asks-humans.js';

const question = { text: 'Which colour?' };

it.each([
  ['says that it needs none', { answer: 'Blue.', needs_clarification: false }],
  ['leaves the field empty', { answer: 'Blue.', needs_clarification: null }],
])('a model that fills in every field and %s asks no human', (_, reply) => {
  expect(requestOf(reply)).toBeUndefined();
  expect(asksHumans(reply)).toBe(false);
});

it('says with `true` beside its questions only that there are some', () => {
  const reply = { needs_clarification: true, open_questions: [question] };
  expect(requestOf(reply)).toBeUndefined();
  expect(asksHumans(reply)).toBe(true);
});

it('says with `true` alone that it wants to ask, and is told what is missing', () => {
  expect(requestOf({ needs_clarification: true })).toBe(true);
});
