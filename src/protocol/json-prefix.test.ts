import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonPrefix, wholeObjectsIn } from './json-prefix.js';

describe('readJsonPrefix', () => {
  it('reads what is whole as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        const text = JSON.stringify(value, null, 1);
        expect(readJsonPrefix(text)).toEqual({ value: JSON.parse(text), state: 'whole', end: text.length });
      }),
    );
  });

  it.each([
    ['{"a":1,"b":{"c":2},"list":[{"x":1},{"x":', { a: 1, b: { c: 2 }, list: [{ x: 1 }] }],
    ['{"a":1,"b":{"c":2', { a: 1 }],
    ['{"a":1,"b":"te', { a: 1 }],
    ['{"a":1,"b":"te\\"', { a: 1 }],
    ['{"a":1,"b":12', { a: 1 }],
    ['{"a":1,"b":tr', { a: 1 }],
    ['{"a":1,', { a: 1 }],
    ['{"list":[', { list: [] }],
    ['', undefined],
  ])('keeps what is whole of %s, which is cut', (text, value) => {
    expect(readJsonPrefix(text, ['list'])).toEqual({ value, state: 'cut', end: text.length });
  });

  it.each([
    ['{"a":1,"b":oops,"c":3}', { a: 1 }],
    ['{"a":1 "b":2}', { a: 1 }],
    ['{"a":1,"b":"line\nbreak"}', { a: 1 }],
    ['{"a":1,\u0000\u0000', { a: 1 }],
    [`{"a":1,"b":${'['.repeat(200_000)}`, { a: 1 }],
  ])('keeps what stands before the damage', (text, value) => {
    expect(readJsonPrefix(text)).toMatchObject({ value, state: 'damaged' });
  });

  it('reads a whole value that something follows', () => {
    expect(readJsonPrefix('{"a":1}\n ent"}')).toEqual({ value: { a: 1 }, state: 'followed', end: 9 });
  });

  it('leaves out keys that would change what a copy inherits', () => {
    const { value } = readJsonPrefix('{"a":{"\\u005f_proto__":{"x":1},"b":2},"__proto__":{"y":1}}');
    expect(value).toEqual({ a: { b: 2 } });
  });
});

describe('wholeObjectsIn', () => {
  it('finds objects on both sides of a damage, inner ones first', () => {
    const text = '{"list":[{"n":1,"in":{"m":2}},{"n":3,"t":"lost quote},\n{"n":4,"t":"a } b"}';
    expect([...wholeObjectsIn(text)].map(({ value }) => value)).toEqual([
      { m: 2 },
      { n: 1, in: { m: 2 } },
      { n: 4, t: 'a } b' },
    ]);
  });

  it('is not exhausted by brackets without end', () => {
    expect([...wholeObjectsIn('{'.repeat(1_000_000))]).toEqual([]);
    expect([...wholeObjectsIn(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)].length).toBeLessThan(100);
  });
});
