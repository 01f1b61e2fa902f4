import { expect, it } from 'vitest';
import { aQuestion } from '../../../test/builders/question.js';
import { answersLeft, wordsOf } from './answer-parts.js';

const question = aQuestion({
  questions: [
    { id: 'q1', text: 'Which colour?', options: [{ id: 'a', label: 'Red' }] },
    { id: 'q2', text: 'Which size?' },
  ],
  responses: [{ questionId: 'q1', answer: 'Blue' }],
});
const given = [
  { questionId: 'q1', optionIds: ['a'] },
  { questionId: 'q2', answer: 'Large\u202e' },
];

it('answers to parts that others answered meanwhile are left out, and the others are sent', () => {
  expect(answersLeft(question, given)).toEqual([{ questionId: 'q2', answer: 'Large\u202e' }]);
  expect(answersLeft({ ...question, status: 'resolved', outcome: 'declined' }, given)).toEqual([]);
});

it('what a person answered can be read where it was not taken', () => {
  expect(wordsOf(question, given)).toBe('You had answered: Red; Large');
  expect(wordsOf(question, [])).toBe('');
});
