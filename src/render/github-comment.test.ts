import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import { questionComment } from './github-comment.js';

const option = (id: string) => ({ id, label: `Way ${id}` });

describe('how to answer a question on GitHub', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
    [
      ['keep', 'drop'],
      ['a', 'b'],
    ],
  ])('is by letters that mean the same option in an answer: %j', (ids, names) => {
    const questions = [{ id: 'q1', text: 'Which?', options: ids.map(option) }];
    const comment = questionComment(aQuestion({ questions }), { mention: [] });
    for (const [index, id] of ids.entries()) expect(comment).toContain(`- **${names[index]})** Way ${id}`);
  });

  it.each([
    [[{ id: 'q1', text: 'Which?' }], '/agentx answer your answer'],
    [[{ id: 'q1', text: 'Which?', options: [option('a')] }], '/agentx answer a'],
    [[{ id: 'q1', text: 'Which?', options: [option('a'), option('b'), option('c')] }], '/agentx answer b'],
    [
      [
        { id: 'q1', text: 'Which?' },
        { id: 'q2', text: 'How?', options: [option('a'), option('b')] },
      ],
      '/agentx answer q1 your answer',
    ],
    [[{ id: 'q1', text: 'Which?', options: [option('a'), option('keep_all')] }], '/agentx answer keep_all'],
  ])('can be copied: %j', (questions, command) => {
    expect(questionComment(aQuestion({ questions }), { mention: [] })).toContain(`comment \`${command}\`,`);
  });
});

it('shows which parts of an open question are answered, and how to answer the next one', () => {
  const questions = [
    { id: 'q1', text: 'Which?', options: [option('a'), option('b')] },
    { id: 'q2', text: 'How many?' },
  ];
  const answeredBy = { principal: 'mona', channel: 'web' as const };
  const responses = [{ questionId: 'q1', optionIds: ['b'] }];
  const comment = questionComment(aQuestion({ questions, responses, answeredBy }), { mention: [] });
  expect(comment).toContain('**Answered so far:**\n\n`q1` (mona on the page)\n\n> Way b');
  expect(comment).toContain('comment `/agentx answer q2 your answer`,');
});
