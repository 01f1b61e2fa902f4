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
    'c) Both',
    'c) both modes',
    'c both',
    'c Both, please',
    'c \u2013 both methods',
    'Option c\u2014both',
    '**c**',
    '\u201cc\u201d',
    "Let's go with c",
    'My answer is c',
    'c it is',
    'Use both',
    'Both, please',
    'Both: one for each environment',
    'both',
    'Both.',
    'c: because we do not want to pay twice',
    'c) Both (tests need it)',
    'c: both, says legal',
    'c: the tests need both',
    'c: since we hate surprises',
    'c: in staging',
    'c: in the EU, as before',
    'c: leave the keys where they are',
    'c: drop the old table first',
    'option c: use an environment variable',
  ])('is the one that it names: %s', (text) => {
    expect(ids(modes, text)).toEqual(['c']);
  });

  it.each([
    'Neither',
    'a new mode, please',
    'A third mode',
    'B-tree index',
    'a-b testing',
    'C-level decides it',
    'A test mode of our own',
    'A testing ground',
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
    'c - no, b',
    'c: definitely not',
    'c, not b',
    'option c, no wait, b',
    'a, b or c',
    'c. Actually b',
    'C. Smith decides that',
    'c, provided that the tests pass',
    'c, once it is reviewed',
    'c, though not in production',
    'Option c: Test mode',
    'c?',
    'both, and a switch',
    'A: none of these',
    'a) neither of them',
    'b: I do not like any of them',
    "b - I'd never do that",
    'c: nothing of the kind',
    'b: wrong',
    'b: too expensive',
    'b: depends',
    'b: let me think',
    'b: hold on',
    'c) Both is too much',
    'c) Both would be wrong',
    'c: both, no thanks',
    'c) Both if legal agrees',
    'c: both, and a switch',
    'a) Test mode is too little\nb: yes',
    'b) for customers, a) for us',
    'c: on second thought, the first one',
    'c: a mode of our own instead',
    'I would not do a',
    "c: it won't work",
    'c: that cannot be done',
    "c: can't",
    'c, please do not',
    'c: impossible',
    'c: I disagree',
    'c: rejected',
    'c: stop',
    'c: ruled out',
    'c: \u{1f44e}',
    'c: -1',
    'c: for customers; b: for us',
    'c - for customers, a - for us',
    'c, with b as a backup',
    'option c; option a for later',
    'c, whichever is cheaper',
    'Both: for customers; test mode: for us',
    'c: terrible idea',
    'c: nah',
    'c: I hate it',
    'c: overkill',
    'c: forget it',
    'c, over my dead body',
    'c: please no',
    'c: last resort',
    'Both, pending legal',
    'c, subject to a review',
    'c: ask Anna first',
    'c: use variables, if legal agrees',
    'c: use variables but not in production',
    'both -> test mode',
    'c: nein',
    'c, aber nur im Test',
    'c: jamais',
    'c, pero no en producci\u00f3n',
    'c: \u043d\u0435\u0442',
    'c: staging only',
    'c, for admins only',
    'c; excluding production',
    'c: outside of production',
    'c, depending on the price',
    'c: with reservations',
    'c: temporarily',
    'c, for now',
    'c: legal says no',
    'c: Anna disagrees',
    'c: a is better',
    'c, with a as a fallback',
    'c: you decide',
    'c: your call',
    'c: \u{1f6ab}',
    'c \u{1f937}',
    'c -1',
    'c, wenn Anna zustimmt',
    'c, sauf en production',
    'c: vielleicht',
    'c: \u3044\u3044\u3048',
    'c: under no circumstances',
    'c: by no means',
    'c: hardly',
    'c: rarely a good idea',
    'c: leave it out',
    'c: drop it',
    'c: strike that',
    'c: remove that option',
    'c: out',
    'c: ignore',
    'c: the opposite',
    'c: vice versa',
    'c: ...not',
    'c: (not)',
    'c: "no"',
    'c: n',
    'c: x',
    'c: \u2717',
    'c: 0',
    'c: false',
    'c: hard pass',
    'c: pass on this',
    'c: thumbs down',
    'c: negative',
    'c: declined',
    'c: explain',
    'c: what for',
    'c: more information needed',
    'c: hm, not sure',
    'c: doubtful',
    'c: illegal',
    'c: half of it',
    'c: partly',
    'c: hay\u0131r',
    'c: nem',
    'c: tidak',
    'Test mode: off',
    'Test mode, disabled',
    'production mode, god no',
  ])('is none where it may mean something else: %s', (text) => {
    expect(ids(modes, text)).toBeUndefined();
  });

  it('goes with a word of agreement, and not with a no that is a part of another word', () => {
    const options = [
      { id: 'a', label: 'Keep them' },
      { id: 'b', label: 'Drop the orders and their one index' },
    ];
    for (const text of ['b: yes', 'b, ok', 'b - agreed', 'b: orders'])
      expect(ids({ options }, text), text).toEqual(['b']);
    for (const text of ['b: ne', 'b - hei', 'b: ei']) expect(ids({ options }, text), text).toBeUndefined();
  });

  it('is the longest label that fits, and never half of one', () => {
    const options = ['Tokens', 'Tokens and sessions', 'No tokens'].map((label, index) => ({
      id: 'abc'.charAt(index),
      label,
    }));
    expect(ids({ options }, 'use tokens and sessions')).toEqual(['b']);
    expect(ids({ options }, 'tokens and sessions: both')).toEqual(['b']);
    expect(ids({ options }, 'no tokens, please')).toEqual(['c']);
    expect(ids({ options }, 'tokens, and sessions')).toBeUndefined();
    expect(ids({ options }, 'tokens, sessions')).toBeUndefined();
    expect(ids({ options }, 'tokens; then sessions')).toBeUndefined();
    expect(ids({ options }, 'tokens, please')).toEqual(['a']);
    expect(ids({ options }, 'a: tokens')).toEqual(['a']);
  });

  it.each([
    [
      '2',
      [
        { id: '1', label: '2' },
        { id: '2', label: '3' },
      ],
    ],
    [
      'Redis',
      [
        { id: 'a', label: 'Redis' },
        { id: 'b', label: 'redis' },
      ],
    ],
    [
      'use redis, please',
      [
        { id: 'a', label: 'Redis' },
        { id: 'b', label: 'redis' },
      ],
    ],
  ])('is none of two that have the same name: %s', (text, options) => {
    expect(ids({ options }, text)).toBeUndefined();
  });

  it('may be told in words of its label', () => {
    const options = ['Passwordless only (magic links)', 'Passwords only', 'Both'].map((label, index) => ({
      id: 'abc'.charAt(index),
      label,
    }));
    expect(ids({ options }, 'Option a - passwordless only')).toEqual(['a']);
    expect(ids({ options }, 'b: only passwords, no links')).toBeUndefined();
    expect(ids({ options }, 'Option c - passwordless only')).toBeUndefined();
  });

  it('may be named by the words before what its label explains', () => {
    const options = [
      'Ask architect again: REST or GraphQL?',
      'Proceed on an assumption about "API" that engineer states and records',
      'Use tokens (short ones)',
      'Use tokens (long ones)',
      'Redis: as it is fast',
    ].map((label, index) => ({ id: 'abcde'.charAt(index), label }));
    for (const text of ['Ask architect again', 'please ask architect again.', 'Ask architect again, it was offline'])
      expect(ids({ options }, text), text).toEqual(['a']);
    for (const text of ['proceed on an assumption', 'Proceed on an assumption: REST'])
      expect(ids({ options }, text), text).toEqual(['b']);
    for (const text of ['Use tokens', 'Do not ask architect again', 'Ask architect', 'Ask architect again, but later'])
      expect(ids({ options }, text), text).toBeUndefined();
  });

  it('is looked for in time that grows with the text', () => {
    const before = process.cpuUsage();
    for (const run of ['.', ' ', '!']) {
      ids(modes, `c${run.repeat(1_900)}x`);
      ids(modes, `${run.repeat(500_000)}x`);
    }
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('may be several where several are taken', () => {
    const several = { ...modes, multiSelect: true };
    expect(ids(several, 'a and c')).toEqual(['a', 'c']);
    expect(ids(several, 'options a, b & c')).toEqual(['a', 'b', 'c']);
  });
});

describe('an approval in words', () => {
  it.each([
    'Yes, go ahead',
    'yes',
    'Yes please.',
    'OK, do it!',
    'Approved',
    'approve',
    'LGTM, thanks',
    'Go ahead',
    'y',
    'Yes I approve',
    'Please proceed.',
    'Fine by me',
    'approve - go for it',
    '+1',
    '+1, thanks',
    '\u{1f44d}',
    '\u{1f44d}\u{1f3fd} go ahead',
    'LGTM \u{1f44d}',
  ])('is a yes: %s', (text) => {
    expect(ids(approval, text)).toEqual(['approve']);
  });

  it.each([
    'No',
    'no, use the queue',
    'Reject',
    "Don't.",
    'do not do that',
    'No. It is too much.',
    'nope',
    'No thanks',
    'Absolutely not',
    'reject: too expensive',
    'not approved',
    'No: the tests fail if we do',
    'No, it is only for us',
    'no, not on Friday',
    '-1',
    '-1: too risky',
    '\u{1f44e}',
  ])('is a no: %s', (text) => {
    expect(ids(approval, text)).toEqual(['reject']);
  });

  it.each([
    'Yes, but not in production',
    'Sure, if the tests pass',
    'approve, but rename it',
    'No problem, go ahead',
    'no objections',
    'No, go ahead',
    'approve: no',
    'approve - not yet',
    'approve, once CI is green',
    'approve; reject',
    'reject: no, go ahead',
    'not yet',
    'not now',
    "I don't mind",
    'sure, but not today',
    'never mind',
    'disapproved',
    'Yes?',
    'Ja, gerne',
    'yes and no',
    'I am not sure',
    'please',
    'Why?',
    'No! I mean yes',
    'No, but do it anyway',
    'No, unless Anna agrees',
    'no, not unless Anna agrees',
    'No: only after Anna agrees',
    'reject, unless the tests pass',
    'reject: only if the tests fail',
    'no, except for staging',
    'no. Later.',
    'no, not yet',
    '+1, but not today',
    '+10',
    '-1 \u{1f44d}',
    'no \u{1f44d}',
    '\u{1f44d} \u{1f44e}',
    '\u2705?',
    'sure thing, tomorrow',
    'nein',
    'should be fine',
    'no, wait',
    'No, hold on',
    "No, it's all good",
    'No, that works',
    'no, no objections',
    'Nope, looks fine',
    "no, let's do it",
    'no, just do it',
    "no, I'm fine with it",
    'No, please go on',
    'no, nothing against it',
    'no, not a problem',
  ])('is neither: %s', (text) => {
    expect(ids(approval, text)).toBeUndefined();
  });
});

describe('a yes or no to a question of an agent', () => {
  const options = [
    { id: 'a', label: 'Yes' },
    { id: 'b', label: 'No' },
  ];

  it.each([
    ['yes, go ahead', ['a']],
    ['nope', ['b']],
    ['b) No', ['b']],
    ['option a', ['a']],
    ['No, go ahead', undefined],
    ['yes, but later', undefined],
    ['a - no', undefined],
    ['No, except for admins', undefined],
    ['No, but admins may', undefined],
    ['No, they are deleted after 30 days', ['b']],
  ])('%j is %j', (text, expected) => {
    expect(ids({ options }, text)).toEqual(expected);
  });
});
