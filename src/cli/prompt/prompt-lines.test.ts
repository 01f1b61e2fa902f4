import { describe, expect, it } from 'vitest';
import { anExpiringQuestion, aQuestion } from '../../../test/builders/question.js';
import type { Question } from '../../protocol/question.js';
import { columnsOf } from '../../render/columns.js';
import { UNPAINTED } from '../../render/conversation.js';
import { plainText } from '../../render/plain-text.js';
import { askedOf, promptLines } from './prompt-lines.js';
import { openPrompt, type PromptState } from './prompt-state.js';

const NOW = '2026-02-26T10:00:28.000Z';

function lines(
  question: Question,
  { width = 80, rows = 20, ...state }: Partial<PromptState> & { width?: number; rows?: number } = {},
) {
  const [part] = question.questions;
  if (part === undefined) throw new Error('a question has parts');
  const shownState = { ...openPrompt(part), ...state };
  return promptLines(askedOf(question, shownState, NOW), shownState, { paint: UNPAINTED, width, rows, now: NOW });
}

const LOGS = anExpiringQuestion({
  questions: [
    {
      id: 'q1',
      text: 'How long are audit logs kept?',
      options: [
        { id: 'a', label: '30 days', recommended: true, description: 'Reversible, and the cheapest.' },
        { id: 'b', label: '1 year' },
      ],
    },
  ],
});

describe('a question on the screen', () => {
  it('shows options with descriptions, the recommended one, text as the last choice, and the countdown', () => {
    expect(lines(LOGS)).toEqual([
      '  ? Coder asks: How long are audit logs kept?         a fallback applies in 4:32',
      '  > a) 30 days  recommended',
      '       Reversible, and the cheapest.',
      '    b) 1 year',
      '    c) Something else...',
      '    up/down or a letter, Enter answers, Esc leaves it open',
    ]);
  });

  it('cuts no question short for its countdown, however wide the window is', () => {
    const [part] = LOGS.questions;
    const text = 'What does the status page say while the database is slow?';
    const wide = lines({ ...LOGS, questions: part === undefined ? [] : [{ ...part, text }] }, { width: 119 });
    expect(wide.slice(0, 2)).toEqual([`  ? Coder asks: ${text}`, '    a fallback applies in 4:32']);
  });

  it('shows what is ticked where several may be chosen', () => {
    const [part] = LOGS.questions;
    const severalChoices = { ...LOGS, questions: part === undefined ? [] : [{ ...part, multiSelect: true }] };
    expect(lines(severalChoices, { ticked: ['b'] }).join('\n')).toContain('    [x] b) 1 year');
  });

  it('shows the lines of a text that was pasted, each on its own', () => {
    const text = 'first\nsecond\n\nlast';
    const shown = (cursor: number) => plainText(lines(LOGS, { isTyping: true, text, cursor }).join('\n')).split('\n');
    expect(shown(text.length).slice(1, 5)).toEqual(['  > first', '    second', '    ', '    last ']);
    expect(shown('first'.length).slice(1, 5)).toEqual(['  > first ', '    second', '    ', '    last']);
  });

  it('shows typed text with a cursor, wrapped', () => {
    const open = aQuestion({ questions: [{ id: 'q1', text: 'Why?' }] });
    const text = 'because the budget says so and nobody objected';
    const shownLines = lines(open, { text, cursor: 3, width: 30 }).map(plainText);
    expect(shownLines.slice(1, 3)).toEqual(['  > because the budget says', '    so and nobody objected']);
  });

  it('fits every window, however small', () => {
    const [part] = LOGS.questions;
    const long = {
      ...LOGS,
      questions: part === undefined ? [] : [{ ...part, text: 'A very long question. '.repeat(30) }],
    };
    for (const [width, rows] of [
      [19, 7],
      [40, 3],
      [79, 5],
      [120, 40],
    ] as const) {
      for (const pointer of [0, 1, 2]) {
        const shownLines = lines(long, { width, rows, pointer });
        expect(shownLines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...shownLines.map(columnsOf))).toBeLessThanOrEqual(width);
        expect(shownLines.filter((line) => line.startsWith('  > '))).toHaveLength(1);
      }
    }
  });
});
