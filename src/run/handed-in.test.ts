import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import type { QuestionResponse } from '../protocol/question.js';
import { type Handing, whatWasHandedIn } from './handed-in.js';

const OPTIONS = [
  { id: 'done', label: 'It is done: docs/adr.md is there' },
  { id: 'back', label: 'Send the work back to plan' },
  { id: 'failed', label: 'It cannot be done' },
];

function handedIn(
  response: Omit<QuestionResponse, 'questionId'>,
  files: readonly string[] = [],
  more: Partial<Handing> = {},
) {
  const labels = OPTIONS.filter(({ id }) => response.optionIds?.includes(id)).map(({ label }) => label);
  // As it is stored: with the labels if there is no text.
  const stored = { questionId: 'work', answer: labels.join(', '), ...response };
  const question = aQuestion({
    questions: [{ id: 'work', text: 'Build it.', options: OPTIONS }],
    status: 'resolved',
    outcome: 'answered',
    responses: [stored],
  });
  const pathOf = async (name: string) => files.find((path) => path === name || name === `/home/ada/shop/${path}`);
  return whatWasHandedIn(question, { about: 'work', output: 'docs/adr.md', folder: 'the repository', pathOf, ...more });
}

describe('what a person hands in', () => {
  it.each<[string, Omit<QuestionResponse, 'questionId'>, readonly string[], object]>([
    [
      'that it is there already',
      { optionIds: ['done'] },
      ['docs/adr.md'],
      { reply: { status: 'done' }, paths: ['docs/adr.md'] },
    ],
    ['a path', { answer: 'docs/mine.md' }, ['docs/mine.md'], { reply: { status: 'done' }, paths: ['docs/mine.md'] }],
    [
      'a whole path',
      { answer: '/home/ada/shop/docs/mine.md' },
      ['docs/mine.md'],
      { reply: { status: 'done' }, paths: ['docs/mine.md'] },
    ],
    [
      'several paths on a line',
      { answer: 'docs/a.md, docs/b.md' },
      ['docs/a.md', 'docs/b.md'],
      { paths: ['docs/a.md', 'docs/b.md'] },
    ],
    [
      'several paths, one of them misspelt',
      { answer: 'docs/mine.md and docs/mien.md' },
      ['docs/mine.md'],
      { note: 'There is no file docs/mien.md in the repository.' },
    ],
    [
      'where several files are',
      { answer: 'I put them in `docs/a.md`, docs/b.md and docs/c.md.' },
      ['docs/a.md', 'docs/b.md', 'docs/c.md'],
      { reply: { status: 'done' }, paths: ['docs/a.md', 'docs/b.md', 'docs/c.md'] },
    ],
    [
      'a path beside the option',
      { optionIds: ['done'], answer: 'docs/mine.md' },
      ['docs/mine.md'],
      { paths: ['docs/mine.md'] },
    ],
    ['several paths', { answer: 'a.js\nmy notes.md\n' }, ['a.js', 'my notes.md'], { paths: ['a.js', 'my notes.md'] }],
    ['text', { answer: 'We use SQLite.' }, [], { reply: { status: 'done', text: 'We use SQLite.' } }],
    [
      'a remark beside what is there',
      { optionIds: ['done'], answer: 'See part 2.' },
      ['docs/adr.md'],
      { reply: { text: 'See part 2.' }, paths: ['docs/adr.md'] },
    ],
    [
      'why it cannot be done',
      { optionIds: ['failed'], answer: 'No access.' },
      [],
      { reply: { status: 'failed', text: 'No access.' } },
    ],
    [
      'why it goes back',
      { optionIds: ['back'], answer: 'No tests.' },
      [],
      { reply: { review: { verdict: 'rejected', body: 'No tests.' } } },
    ],
    [
      'that it goes back',
      { optionIds: ['back'] },
      [],
      { reply: { review: { body: 'It was sent back without a reason.' } } },
    ],
    [
      'by its letter, with a reason that is no choice by itself, why it cannot be done',
      { answer: 'failed: no key, and it works only on Windows' },
      [],
      { reply: { status: 'failed', text: 'no key, and it works only on Windows' } },
    ],
    [
      'in the same way why it goes back',
      { answer: 'Send the work back to plan - nothing but headings' },
      [],
      { reply: { review: { verdict: 'rejected', body: 'nothing but headings' } } },
    ],
    [
      'a path behind the word',
      { optionIds: ['done'], answer: 'done: docs/mine.md' },
      ['docs/mine.md'],
      { paths: ['docs/mine.md'] },
    ],
    ['where it is', { answer: 'I wrote it in docs/mine.md.' }, ['docs/mine.md'], { paths: ['docs/mine.md'] }],
    [
      'where it is, with words behind it',
      { answer: "I've put it in docs/mine.md, have a look" },
      ['docs/mine.md'],
      { paths: ['docs/mine.md'] },
    ],
    ['a file to see', { answer: 'Done, see `docs/mine.md`' }, ['docs/mine.md'], { paths: ['docs/mine.md'] }],
    ['a plain yes', { answer: 'Yes.' }, ['docs/adr.md'], { reply: { status: 'done' }, paths: ['docs/adr.md'] }],
    [
      'in a sentence that it cannot be done',
      { answer: "It can't be done because the API is down." },
      [],
      { reply: { status: 'failed', text: "It can't be done because the API is down." } },
    ],
    [
      'the label with a reason behind it',
      { optionIds: ['failed'], answer: 'It cannot be done: no access.' },
      [],
      { reply: { status: 'failed', text: 'no access.' } },
    ],
    [
      'a sentence about what cannot be done',
      { answer: 'We cannot do this with files, so we use SQLite.' },
      [],
      { reply: { status: 'done', text: 'We cannot do this with files, so we use SQLite.' } },
    ],
  ])('may be %s', async (_, response, files, expected) => {
    const handed = await handedIn(response, files);
    expect(handed).toMatchObject(expected);
    expect(JSON.stringify(handed)).not.toContain('It is done');
  });

  it.each([
    "Can't do it, no access to the customer.",
    'Sorry, I am unable to do this: no key',
    'Cannot do that without a key',
  ])('may be why it cannot be done: %s', async (answer) => {
    expect(await handedIn({ answer })).toEqual({ reply: { status: 'failed', text: answer } });
  });

  it.each([
    ['Send it back: no acceptance criteria', 'no acceptance criteria'],
    ['Please send it back to plan, the rates are missing.', 'the rates are missing.'],
    ['Rejected.\n\n- no tests\n- no rates', '- no tests\n- no rates'],
    ['Not approved because of the rates', 'because of the rates'],
    ['Needs work', 'It was sent back without a reason.'],
  ])('may be in words that the work goes back: %j', async (answer, body) => {
    expect(await handedIn({ answer })).toMatchObject({ reply: { review: { verdict: 'rejected', body } } });
  });

  it.each(['Rejected orders are kept for a month.', 'Send it back-to-back.'])(
    'is text of other things that are rejected or sent back: %j',
    async (answer) => {
      expect(await handedIn({ answer })).toEqual({ reply: { status: 'done', text: answer } });
    },
  );

  it.each<[string, Omit<QuestionResponse, 'questionId'>, object]>([
    [
      'it says to be there and is not',
      { optionIds: ['done'] },
      { note: 'There is no file docs/adr.md in the repository yet.' },
    ],
    ['no such file is there', { answer: 'docs/mien.md' }, { note: 'There is no file docs/mien.md in the repository.' }],
    ['it cannot be done and nobody knows why', { optionIds: ['failed'] }, { about: 'why' }],
    ['somebody types what an option says', { answer: 'it cannot be done.' }, { about: 'why' }],
    ['somebody types that it is done', { answer: 'Done' }, { about: 'work' }],
    ['somebody says in words that it is there', { answer: 'It is already there.' }, { about: 'work' }],
    ['somebody says in a sentence that it is done', { answer: "It's done!" }, { about: 'work' }],
    [
      'somebody names a file that is not there',
      { answer: 'See docs/mien.md' },
      { note: 'There is no file docs/mien.md in the repository.' },
    ],
    ['somebody only says no', { answer: 'No' }, { about: 'why' }],
    ['somebody only says yes', { answer: '\u{1f44d}' }, { about: 'work' }],
    ['somebody cannot do it', { answer: 'I cannot do it.' }, { about: 'why' }],
    ['somebody cannot do it and is short', { answer: "Sorry, can't do it" }, { about: 'why' }],
    [
      'somebody says where it is, and it is not',
      { answer: 'It is in docs/mien.md, have a look.' },
      { note: 'There is no file docs/mien.md in the repository.' },
    ],
  ])('is asked for once more where %s', async (_, response, expected) => {
    expect(await handedIn(response)).toMatchObject(expected);
  });

  it('is asked for once more in the words of where the files of the run are', async () => {
    const folder = '.agentx/state/worktrees/run-1';
    const note = `There is no file docs/mien.md in ${folder}.`;
    expect(await handedIn({ answer: 'docs/mien.md' }, [], { folder })).toEqual({ about: 'work', note });
  });

  it('is nothing more where the step writes nothing', async () => {
    expect(await handedIn({ optionIds: ['done'] }, [], { output: undefined })).toEqual({ reply: { status: 'done' } });
  });

  it('is asked for a reason once', async () => {
    const why = { about: 'why' } as const;
    expect(await handedIn({ answer: 'No access.' }, [], why)).toEqual({
      reply: { status: 'failed', text: 'No access.' },
    });
    const unanswered = aQuestion({ status: 'resolved', outcome: 'dismissed', responses: [] });
    const handing = { ...why, output: undefined, folder: 'the repository', pathOf: async () => undefined };
    expect(await whatWasHandedIn(unanswered, handing)).toEqual({
      reply: { status: 'failed', text: 'no reason was given' },
    });
  });
});
