import { describe, expect, it } from 'vitest';
import type { QuestionPart } from '../../protocol/question.js';
import type { Key } from './keyboard.js';
import { letterOf, openPrompt, type Press, type PromptState, press } from './prompt-state.js';

const LOGS: QuestionPart = {
  id: 'q1',
  text: 'How long are audit logs kept?',
  options: [
    { id: 'a', label: '30 days' },
    { id: 'b', label: '1 year', recommended: true },
  ],
};

const named = (name: string): Key => ({ text: '', name, isCtrl: false });
const typed = (text: string): readonly Key[] => [...text].map((one) => ({ text: one, name: one, isCtrl: false }));

/** Presses keys one after the other and returns the last result. */
function pressed(part: QuestionPart, ...keys: readonly Key[]): Press {
  return pressedFrom(openPrompt(part), ...keys);
}

function pressedFrom(opened: PromptState, ...keys: readonly Key[]): Press {
  let state = opened;
  let last: Press = { type: 'changed', state };
  for (const key of keys) {
    last = press(state, key);
    if (last.type === 'changed') state = last.state;
  }
  return last;
}

describe('answering in place', () => {
  it('begins at the recommended option and takes it with Enter', () => {
    expect(pressed(LOGS, named('return'))).toEqual({ type: 'answer', answer: { optionIds: ['b'] } });
  });

  it('goes up and down, round the ends', () => {
    expect(pressed(LOGS, named('up'), named('return'))).toEqual({ type: 'answer', answer: { optionIds: ['a'] } });
    const round = [named('down'), named('down'), named('return')];
    expect(pressed(LOGS, ...round)).toEqual({ type: 'answer', answer: { optionIds: ['a'] } });
  });

  it('goes to a letter but sends nothing before Enter', () => {
    expect(pressed(LOGS, ...typed('a')).type).toBe('changed');
    expect(pressed(LOGS, ...typed('a'), named('return'))).toEqual({ type: 'answer', answer: { optionIds: ['a'] } });
  });

  it('takes text where the last choice is taken, and Escape leads back', () => {
    const write = [...typed('c'), named('return'), ...typed('90 days')];
    expect(pressed(LOGS, ...write, named('return'))).toEqual({ type: 'answer', answer: { text: '90 days' } });
    expect(pressed(LOGS, ...write, named('escape'), ...typed('a'), named('return'))).toEqual({
      type: 'answer',
      answer: { optionIds: ['a'] },
    });
  });

  it('chooses nothing at first where the answer cannot be undone: Enter alone decides nothing', () => {
    const final = openPrompt(LOGS, { isFinal: true });
    const enter = named('return');
    expect(pressedFrom(final, enter, enter, named('space'), enter)).toEqual({ type: 'changed', state: final });
    for (const [keys, id] of [
      [typed('b'), 'b'],
      [[named('down')], 'a'],
      [[named('up'), named('up')], 'b'],
    ] as const) {
      expect(pressedFrom(final, enter, ...keys, enter)).toEqual({ type: 'answer', answer: { optionIds: [id] } });
    }
    expect(pressedFrom(final, ...typed('c'), enter, ...typed('x'), enter)).toMatchObject({ answer: { text: 'x' } });
    const several = openPrompt({ ...LOGS, multiSelect: true }, { isFinal: true });
    expect(pressedFrom(several, enter).type).toBe('changed');
    expect(pressedFrom(several, ...typed('b'), enter)).toMatchObject({ answer: { optionIds: ['b'] } });
  });

  it('offers no text where none is taken', () => {
    const strict = { ...LOGS, allowText: false };
    expect(pressed(strict, named('down'), named('return'))).toEqual({ type: 'answer', answer: { optionIds: ['a'] } });
  });

  it('leaves the question open with Escape', () => {
    expect(pressed(LOGS, named('escape'))).toEqual({ type: 'leave' });
    expect(pressed({ id: 'q1', text: 'Why?' }, named('escape'))).toEqual({ type: 'leave' });
  });

  it('ticks several options where the question takes several', () => {
    const severalChoices = { ...LOGS, multiSelect: true };
    const bothKeys = [...typed('b'), named('up'), named('space'), named('return')];
    expect(pressed(severalChoices, ...bothKeys)).toEqual({ type: 'answer', answer: { optionIds: ['a', 'b'] } });
    expect(pressed(severalChoices, ...typed('a'), ...typed('a'), named('return'))).toEqual({
      type: 'answer',
      answer: { optionIds: ['a'] },
    });
  });

  it('goes from character to character as people see them', () => {
    const open = { id: 'q1', text: 'Why?' };
    for (const character of ['e\u0301', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f1e9}\u{1f1ea}']) {
      const editingKeys = [
        ...typed(`a${character}b`),
        named('left'),
        named('backspace'),
        ...typed('-'),
        named('return'),
      ];
      expect(pressed(open, ...editingKeys)).toEqual({ type: 'answer', answer: { text: 'a-b' } });
    }
  });

  it('leaves on Ctrl-D like on Escape where nothing is typed', () => {
    const ctrlD = { text: '', name: 'd', isCtrl: true };
    const open = { id: 'q1', text: 'Why?' };
    expect(pressed(LOGS, ctrlD)).toEqual({ type: 'leave' });
    expect(pressed(open, ctrlD)).toEqual({ type: 'leave' });
    expect(pressed(open, ...typed('ab'), named('home'), ctrlD, named('return'))).toEqual({
      type: 'answer',
      answer: { text: 'b' },
    });
  });

  it('edits a line of text in any script, and does not send an empty one', () => {
    const open = { id: 'q1', text: 'Why?' };
    expect(pressed(open, named('return')).type).toBe('changed');
    const editingKeys = [...typed('Grun\u00fc'), named('left'), named('backspace'), named('end'), ...typed('n!')];
    expect(pressed(open, ...editingKeys, named('return'))).toEqual({ type: 'answer', answer: { text: 'Gru\u00fcn!' } });
    const erasingKeys = [
      ...typed('two words'),
      { text: '', name: 'w', isCtrl: true },
      ...typed('lines'),
      named('return'),
    ];
    expect(pressed(open, ...erasingKeys)).toEqual({ type: 'answer', answer: { text: 'two lines' } });
  });

  it('keeps the lines of what is pasted, and takes no pasted letter for a choice', () => {
    const pastedKeys = [named('paste-start'), ...typed('one'), named('return'), ...typed('two'), named('paste-end')];
    expect(pressed({ id: 'q1', text: 'Why?' }, ...pastedKeys, named('return'))).toEqual({
      type: 'answer',
      answer: { text: 'one\ntwo' },
    });
    expect(pressed(LOGS, ...pastedKeys, named('return'))).toEqual({ type: 'answer', answer: { optionIds: ['b'] } });
  });

  it('letters options by their ids where these are letters, and by their place otherwise', () => {
    const namedOptions = {
      id: 'q1',
      text: '?',
      options: [
        { id: 'retry', label: 'Again' },
        { id: 'stop', label: 'Stop' },
      ],
    };
    expect([0, 1, 2].map((index) => letterOf(namedOptions, index))).toEqual(['a', 'b', 'c']);
    const partWithGaps = {
      ...namedOptions,
      options: [
        { id: 'b', label: '' },
        { id: 'x', label: '' },
      ],
    };
    expect([0, 1, 2].map((index) => letterOf(partWithGaps, index))).toEqual(['b', 'x', 'a']);
  });
});
