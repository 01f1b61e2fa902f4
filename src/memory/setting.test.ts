import { expect, it } from 'vitest';
import { draftsOfTranscript } from './observation-extractor.js';

const chat = (...said: readonly (readonly ['user' | 'assistant' | 'tool', string])[]) =>
  draftsOfTranscript(said.map(([role, content]) => JSON.stringify({ role, content })).join('\n')).map(
    ({ category, content }) => `${category}: ${content}`,
  );

const TASK = ['user', 'please look at the tile build of the alps'] as const;
const OFFER = [
  'assistant',
  'The writer of `go-pmtiles` needs no SQLite file and saves 4 minutes. Shall I switch to it?',
] as const;

it.each(['not now', 'Agree, later perhaps', 'hm, let me ask Noor first', 'nicht jetzt'])(
  'forgets what a user puts off: %s',
  (answer) => {
    expect(chat(TASK, OFFER, ['user', answer])).toEqual([]);
  },
);

it('forgets what an agent supposed and corrects at once', () => {
  const drafts = chat(
    TASK,
    ['assistant', 'Lines 96 and 102 disagree: the columns get out of step, so row 2 is compared with `heads`.'],
    [
      'assistant',
      'I have to correct myself: the columns are right. `default()` never drops a row, because it filters on a stale `heads[0]`.',
    ],
  );
  expect(drafts.join()).not.toContain('out of step');
  expect(drafts.join()).toContain('stale `heads[0]`');
});

it('takes for decided what an agent repeats of an answer', () => {
  expect(
    chat(
      TASK,
      ['assistant', 'Which contour interval do you want at z12 and z13?'],
      ['user', '100 m at z12, but 40 m at z13 so that 20 is a divisor'],
      ['assistant', 'Clear: contour interval 100 m at z12, 40 m at z13, 20 m from z14.'],
    ).at(-1),
  ).toBe('decision: Clear: contour interval 100 m at z12, 40 m at z13, 20 m from z14.');
});

it('takes for an error what explains a failure, until a file was changed', () => {
  const why = 'The page sends only the first letter of the postcode, so `IV2 3AB` arrives as `I`.';
  expect(chat(['user', 'the delivery date is wrong'], ['assistant', why])).toEqual([`error: ${why}`]);
  expect(chat(['user', 'where is the postcode sent'], ['assistant', why])).toEqual([`key-fact: ${why}`]);
});

it('keeps a plain statement by what it says, and none that is only possible or polite', () => {
  expect(
    chat(
      TASK,
      ['assistant', 'YesNo, Tenure and Household use fieldset/legend now.'],
      ['assistant', 'It could also be the cron firing twice, or Stripe webhooks being replayed.'],
      ['assistant', 'It was a pleasure working with you, good luck with 2.6.0 on Friday.'],
    ),
  ).toEqual(['code-change: YesNo, Tenure and Household use fieldset/legend now.']);
});
