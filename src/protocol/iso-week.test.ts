import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentXError } from './errors.js';
import { daysOf, isWithin, parseWeek, weekBefore, weekOf, weekSpan } from './iso-week.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const instants = fc.date({
  min: new Date('1901-01-01T00:00:00Z'),
  max: new Date('2998-12-31T00:00:00Z'),
  noInvalidDate: true,
});

/** The definition word by word: the Thursday decides the year, and its weeks are its Thursdays. */
function byThursdays(at: Date): string {
  const day = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  day.setUTCDate(day.getUTCDate() + 3);
  let thursdays = 0;
  for (let one = Date.UTC(day.getUTCFullYear(), 0, 1); one <= day.getTime(); one += DAY_MS) {
    if (new Date(one).getUTCDay() === 4) thursdays++;
  }
  return `${day.getUTCFullYear()}-W${String(thursdays).padStart(2, '0')}`;
}

describe('a week', () => {
  it.each([
    ['2026-11-15T23:59:59.999Z', '2026-W46'],
    ['2026-11-16T00:00:00.000Z', '2026-W47'],
    ['2021-01-03T12:00:00Z', '2020-W53'],
    ['2021-01-04T00:00:00Z', '2021-W01'],
    ['2024-12-30T00:00:00Z', '2025-W01'],
    ['2016-01-03T23:00:00Z', '2015-W53'],
    ['2027-01-01T00:00:00Z', '2026-W53'],
  ])('of %s is %s', (at, week) => {
    expect(weekOf(at)).toBe(week);
  });

  it('is that of UTC, whatever the zone in which a time is written', () => {
    expect(weekOf('2026-11-16T00:30:00+02:00')).toBe('2026-W46');
  });

  it('is the one that the definition gives, for any instant', () => {
    fc.assert(
      fc.property(instants, (at) => {
        expect(weekOf(at.toISOString())).toBe(byThursdays(at));
      }),
    );
  });

  it('holds the instant it was made of, and no other week does', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const week = weekOf(at.toISOString());
        expect(parseWeek(week)).toBe(week);
        expect(isWithin(weekSpan(week), at.toISOString())).toBe(true);
        expect(isWithin(weekSpan(weekBefore(week)), at.toISOString())).toBe(false);
      }),
    );
  });

  it('begins where the one before ends, and has seven days', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const week = weekOf(at.toISOString());
        expect(weekSpan(weekBefore(week)).to).toBe(weekSpan(week).from);
        expect(daysOf(weekSpan(week))).toHaveLength(7);
        expect(weekOf(new Date(at.getTime() - 7 * DAY_MS).toISOString())).toBe(weekBefore(week));
      }),
    );
  });

  it.each(['2021-W53', '2026-W00', '2026-W54', '2026-9', '2026-W9', '0026-W09', '2026-w09', '', 'last'])(
    "is not '%s'",
    (value) => {
      expect(() => parseWeek(value)).toThrow(AgentXError);
      expect(() => parseWeek(value)).toThrow('is not a week. Allowed: ISO weeks');
    },
  );
});
