import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentBytes } from './document-bytes.js';

const plain = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;

describe('the bytes of a document', () => {
  it('are what JSON.stringify writes, whatever the document holds, the first time and the next', () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 8 });
    const document = fc.dictionary(fc.string(), fc.oneof(list, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 6 });
    fc.assert(
      fc.property(document, (value) => {
        const bytes = new DocumentBytes();
        expect(bytes.of(value).toString()).toBe(plain(value));
        expect(bytes.of({ ...value }).toString()).toBe(plain(value));
      }),
    );
  });

  it('follow entries that are replaced, moved, taken out or leave something undefined', () => {
    const entries = Array.from({ length: 6 }, (_, n) => ({ n, text: `line\n  "list": []\u00e9`, nested: [[{ n }]] }));
    const [first, second, ...rest] = entries;
    const versions = [
      { before: 1, list: entries, after: '\n  "list": []' },
      { before: 1, list: [second, ...rest, { ...first, n: 99 }], after: {} },
      { list: rest, other: [...entries, undefined, 'x', 5] },
      { list: [...rest, undefined], other: undefined, gone: [], deep: { list: [], more: { list: entries } } },
    ];
    const bytes = new DocumentBytes();
    for (const version of versions) expect(bytes.of(version).toString()).toBe(plain(version));
  });

  it('are those of any other value too', () => {
    const bytes = new DocumentBytes();
    for (const value of [[], [1, 2, 3, 4, 5], 'text', 5, null, {}])
      expect(bytes.of(value).toString()).toBe(plain(value));
  });
});
