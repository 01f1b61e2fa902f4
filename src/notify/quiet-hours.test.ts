import { describe, expect, it } from 'vitest';
import { afterQuietHours } from './quiet-hours.js';

const endOf = (time: string, quiet: string, time_zone = 'UTC') =>
  new Date(afterQuietHours(Date.parse(time), { quiet, time_zone })).toISOString();

describe('quiet hours', () => {
  it('end at their time, over midnight too [X-13/3]', () => {
    expect(endOf('2026-02-26T23:10:20.000Z', '22:00-07:00')).toBe('2026-02-27T07:00:00.000Z');
    expect(endOf('2026-02-26T03:10:00.000Z', '22:00-07:00')).toBe('2026-02-26T07:00:00.000Z');
    expect(endOf('2026-02-26T12:59:59.000Z', '12:00-13:00')).toBe('2026-02-26T13:00:00.000Z');
  });

  it('leave other times alone', () => {
    expect(endOf('2026-02-26T07:00:00.000Z', '22:00-07:00')).toBe('2026-02-26T07:00:00.000Z');
    expect(endOf('2026-02-26T21:59:59.000Z', '22:00-07:00')).toBe('2026-02-26T21:59:59.000Z');
    expect(endOf('2026-02-26T21:59:59.000Z', '08:00-08:00')).toBe('2026-02-26T21:59:59.000Z');
    expect(afterQuietHours(1_000, {})).toBe(1_000);
  });

  it('follow the clock of their zone, also when it changes', () => {
    expect(endOf('2026-02-26T22:30:00.000Z', '22:00-07:00', 'Europe/Berlin')).toBe('2026-02-27T06:00:00.000Z');
    // In this night the clocks go forward from two to three.
    expect(endOf('2026-03-28T22:00:00.000Z', '22:00-07:00', 'Europe/Berlin')).toBe('2026-03-29T05:00:00.000Z');
    // Half past two does not exist in it.
    expect(endOf('2026-03-29T00:40:10.000Z', '01:00-02:30', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
    // Here midnight does not exist, and there the clocks change by half an hour.
    expect(endOf('2026-09-06T03:30:00.000Z', '23:00-00:30', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
    expect(endOf('2026-10-03T14:00:00.000Z', '22:00-02:15', 'Australia/Lord_Howe')).toBe('2026-10-03T15:30:00.000Z');
    // In this one they go back from three to two.
    expect(endOf('2026-10-24T22:00:00.000Z', '22:00-07:00', 'Europe/Berlin')).toBe('2026-10-25T06:00:00.000Z');
  });
});
