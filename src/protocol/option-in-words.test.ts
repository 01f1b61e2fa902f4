import { describe, expect, it } from 'vitest';
import { chosenInWords } from './option-in-words.js';

const modes = {
  options: [
    { id: 'a', label: 'Test mode' },
    { id: 'b', label: 'Production mode' },
    { id: 'c', label: 'Both' },
  ],
};
const approval = {
  options: [
    { id: 'approve', label: 'Approve' },
    { id: 'reject', label: 'Reject' },
  ],
};
const ids = (part: Parameters<typeof chosenInWords>[0], text: string) => chosenInWords(part, text)?.optionIds;

describe('an option in words', () => {
  it.each([
    'c',
    'C',
    'c)',
    '(c)',
    'c.',
    'option c',
    'Option C',
    'option (c)',
    'Option c: both modes',
    'Option c - both methods, passwordless as primary',
    'Use option c - both modes with environment variable',
    'c: both',
    'c - both',
    'c, both of them',
    "I'd take option c",
    'c please',
    'both',
    'Both.',
  ])('is the one that it names: %s', (text) => {
    expect(ids(modes, text)).toEqual(['c']);
  });

  it.each([
    'Neither',
    'a new mode, please',
    'A third mode',
    'b is wrong',
    'not option c',
    'option c is too expensive',
    'option d',
    'c, but only in staging',
    'a or b',
    'a, b',
    'cheap',
    'a and something else',
    'both of them and a switch',
  ])('is none where it may mean something else: %s', (text) => {
    expect(ids(modes, text)).toBeUndefined();
  });

  it('may be several where several are taken', () => {
    const several = { ...modes, multiSelect: true };
    expect(ids(several, 'a and c')).toEqual(['a', 'c']);
    expect(ids(several, 'options a, b & c')).toEqual(['a', 'b', 'c']);
  });
});

describe('an approval in words', () => {
  it.each(['Yes, go ahead', 'yes', 'Yes please.', 'OK, do it!', 'Approved', 'approve', 'LGTM, thanks', 'Go ahead'])(
    'is a yes: %s',
    (text) => {
      expect(ids(approval, text)).toEqual(['approve']);
    },
  );

  it.each(['No', 'no, use the queue', 'Reject', "Don't.", 'do not do that', 'No. It is too much.'])(
    'is a no: %s',
    (text) => {
      expect(ids(approval, text)).toEqual(['reject']);
    },
  );

  it.each([
    'Yes, but not in production',
    'Sure, if the tests pass',
    'approve, but rename it',
    'No problem, go ahead',
    'no objections',
    'No, go ahead',
    'yes and no',
    'I am not sure',
    'please',
    'Why?',
  ])('is neither: %s', (text) => {
    expect(ids(approval, text)).toBeUndefined();
  });
});
