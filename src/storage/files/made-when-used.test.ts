import { describe, expect, it } from 'vitest';
import { madeWhenUsed } from './made-when-used.js';

describe('madeWhenUsed', () => {
  it('makes each member once, when it is first used', () => {
    const made: string[] = [];
    const make = (name: string) => {
      made.push(name);
      return { name };
    };
    const things = madeWhenUsed<Record<'bread' | 'cake', { name: string }>>({
      bread: () => make('bread'),
      cake: () => make('cake'),
    });
    expect(made).toEqual([]);
    expect(things.cake).toBe(things.cake);
    expect(made).toEqual(['cake']);
    expect({ ...things, cake: undefined }).toEqual({ bread: { name: 'bread' }, cake: undefined });
    expect(made).toEqual(['cake', 'bread']);
  });
});
