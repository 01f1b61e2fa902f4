import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { changeFits } from './change-fits.js';

const Entry = z.looseObject({ id: z.string().check(z.minLength(1)), note: z.exactOptional(z.string()) });
const Document = z.looseObject({
  status: z.enum(['open', 'closed']),
  entries: z.array(Entry),
  byName: z.exactOptional(z.record(z.string().check(z.maxLength(3)), Entry)),
});

const BEFORE = {
  status: 'open',
  entries: [{ id: 'a' }, { id: 'b', note: 'x' }],
  byName: { one: { id: 'c' } },
};

describe('a changed document', () => {
  it.each([
    ['nothing', BEFORE],
    ['a field', { ...BEFORE, status: 'closed' }],
    ['an entry more', { ...BEFORE, entries: [...BEFORE.entries, { id: 'c' }] }],
    ['an entry less', { ...BEFORE, entries: BEFORE.entries.slice(0, 1) }],
    ['a field of an entry', { ...BEFORE, entries: [{ id: 'a', note: 'y' }, ...BEFORE.entries.slice(1)] }],
    ['a member more', { ...BEFORE, byName: { ...BEFORE.byName, two: { id: 'd' } } }],
  ])('fits with %s changed', (_, next) => {
    expect(changeFits(Document, next, BEFORE)).toBe(true);
  });

  it.each([
    ['a value that is not allowed', { ...BEFORE, status: 'lost' }],
    ['a field that is gone', { entries: BEFORE.entries, byName: BEFORE.byName }],
    ['a field that nobody knows, which only all of it can tell', { ...BEFORE, more: 1 }],
    ['an entry that does not fit', { ...BEFORE, entries: [...BEFORE.entries, { id: '' }] }],
    ['a hole in the list', { ...BEFORE, entries: [undefined, ...BEFORE.entries] }],
    ['a hole behind the list', { ...BEFORE, entries: [...BEFORE.entries, undefined] }],
    ['a field without a value', { ...BEFORE, entries: [{ id: 'a', note: undefined }] }],
    ['a real hole in the list', { ...BEFORE, entries: Object.assign([], { 1: { id: 'b' } }) }],
    ['a map for a field', { ...BEFORE, byName: new Map([['one', 1]]) }],
    ['a list that is none', { ...BEFORE, entries: { ...BEFORE.entries } }],
    ['a list for a field', { ...BEFORE, byName: [{ id: 'a' }] }],
    ['a key that is not allowed', { ...BEFORE, byName: { ...BEFORE.byName, four: { id: 'd' } } }],
    ['no document at all', null],
    ['a list of them', [BEFORE]],
  ])('does not fit with %s', (_, next) => {
    expect(changeFits(Document, next, BEFORE)).toBe(false);
  });

  it('is not vouched for where something holds for its parts together', () => {
    const Pair = z.object({ low: z.number(), high: z.number() }).check(z.refine(({ low, high }) => low <= high));
    expect(changeFits(Pair, { low: 3, high: 2 }, { low: 1, high: 2 })).toBe(false);
  });

  it('is looked at only where it changed', () => {
    const look = vi.fn(() => true);
    const Looked = z.object({ entries: z.array(z.object({ id: z.string().check(z.refine(look)) })) });
    const before = { entries: [{ id: 'a' }, { id: 'b' }] };
    expect(changeFits(Looked, { entries: [...before.entries, { id: 'c' }] }, before)).toBe(true);
    expect(look).toHaveBeenCalledOnce();
  });

  it('is never vouched for when all of it would be refused', () => {
    const text = fc.constantFrom('', 'a', 'long', undefined, 1);
    const entry = fc.oneof(fc.record({ id: text, note: text }, { requiredKeys: [] }), text);
    const entries = fc.oneof(fc.array(entry, { maxLength: 3 }), text);
    const members = fc.dictionary(fc.constantFrom('a', 'b', 'long'), entry, { noNullPrototype: true });
    const changes = fc.record(
      { status: fc.constantFrom('open', 'closed', 'lost', undefined), entries, byName: fc.oneof(members, text) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(changes, fc.boolean(), (change, isPart) => {
        const next = isPart ? { ...BEFORE, ...change } : change;
        if (changeFits(Document, next, BEFORE)) expect(z.safeParse(Document, next).success).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
