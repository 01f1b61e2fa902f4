import { expect, it } from 'vitest';
import { fitHelp } from './fit-help.js';

const fitted = (text: string, width = 40): string => fitHelp(text, width);

it('leaves what fits as it is', () => {
  const help = 'Usage: agentx run <number>\n\nOptions:\n  --json  data\n\nOne line.\nAnother.\n';
  expect(fitted(help)).toBe(help);
});

it('fills a paragraph anew if one of its lines is too long', () => {
  expect(
    fitted('Examples:\n\nIt shows what it changes first, and then it asks.\nA second time it changes nothing.\n'),
  ).toBe('Examples:\n\nIt shows what it changes first, and then\nit asks. A second time it changes\nnothing.\n');
});

it('wraps an explanation in its column, and what continues it', () => {
  expect(fitted('  agentx inbox     what they ask you, and since when\n')).toBe(
    '  agentx inbox     what they ask you,\n                   and since when\n',
  );
  expect(fitted(`${' '.repeat(19)}and since when they wait\n`)).toBe(
    `${' '.repeat(19)}and since when they\n${' '.repeat(19)}wait\n`,
  );
});

it('fills an explanation of several lines anew if one of them is too long', () => {
  const indent = ' '.repeat(19);
  expect(fitted(`  agentx init      make a folder here; say in\n${indent}its file who works\n`)).toBe(
    `  agentx init      make a folder here;\n${indent}say in its file who\n${indent}works\n`,
  );
});

it('puts an explanation below a command that leaves it no room, and breaks no command', () => {
  expect(fitted('  agentx inbox snooze oq-1a2b3c4d 30m    no reminder for half an hour; the deadline stays\n')).toBe(
    '  agentx inbox snooze oq-1a2b3c4d 30m\n      no reminder for half an hour; the\n      deadline stays\n',
  );
  const alone = '  agentx issue create -t "Health endpoint" -l type:feature\n';
  expect(fitted(alone)).toBe(alone);
});

it('shows everything in the narrowest window', () => {
  expect(fitted('  agentx run 1   carry it out\n', 1).split(/\s+/)).toEqual([
    '',
    'agentx',
    'run',
    '1',
    'carry',
    'it',
    'out',
    '',
  ]);
});
