import { describe, expect, it } from 'vitest';
import { ageText, countdownText, duration, whenText } from './time.js';

const now = '2026-02-26T10:31:00.000Z';
const person = { now, isRelative: true };
const program = { now, isRelative: false };

describe('times', () => {
  it('are relative for people and as stored for programs', () => {
    const start = '2026-02-26T10:00:00.000Z';
    expect([whenText(start, person), ageText(start, person)]).toEqual(['31 min ago', '31 min']);
    expect([whenText(start, program), ageText(start, program)]).toEqual([start, start]);
    expect(whenText(now, person)).toBe('just now');
    expect(whenText('2026-02-26T12:00:00+02:00', person)).toBe('31 min ago');
  });

  it('count down by the second within the last hour', () => {
    const to = '2026-02-26T10:35:32.000Z';
    expect(countdownText(to, person)).toBe('in 4:32');
    expect(countdownText(to, program)).toBe(`at ${to}`);
    expect(countdownText('2026-02-26T13:00:00.000Z', person)).toBe('in 2 h');
    expect(countdownText('2026-02-26T10:00:00.000Z', person)).toBe('now');
  });

  it('are told in the largest unit', () => {
    const minute = 60_000;
    const texts = [-5, 59_999, minute, 59 * minute, 60 * minute, 47 * 60 * minute, 48 * 60 * minute].map(duration);
    expect(texts).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 days']);
  });
});
