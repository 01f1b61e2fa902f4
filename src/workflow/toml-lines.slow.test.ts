import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { findTomlLines } from './toml-lines.js';

describe('lines of a TOML text', () => {
  it('are those of tables and keys', () => {
    const lineOf = findTomlLines('mode = "local"\n\n[agents.architect]\nrunner = "human"\n');
    expect(lineOf(['mode'])).toBe(1);
    expect(lineOf(['agents', 'architect'])).toBe(3);
    expect(lineOf(['agents', 'architect', 'runner'])).toBe(4);
  });

  it('count the tables of a list, and their tables', () => {
    const lineOf = findTomlLines('[[steps]]\nid = 1\n[[steps]]\nid = 2\n[steps.more]\nx = 1\n');
    expect(lineOf(['steps', 0, 'id'])).toBe(2);
    expect(lineOf(['steps', 1])).toBe(3);
    expect(lineOf(['steps', 1, 'id'])).toBe(4);
    expect(lineOf(['steps', 1, 'more', 'x'])).toBe(6);
  });

  it('are those of what is around a key that is not there', () => {
    const lineOf = findTomlLines('[[steps]]\nneeds = [\n  "a",\n]\n');
    expect(lineOf(['steps', 0, 'agent'])).toBe(1);
    expect(lineOf(['steps', 0, 'needs', 0])).toBe(2);
    expect(lineOf(['workflow'])).toBeUndefined();
  });

  it('are not misled by comments, strings and values that look like keys', () => {
    const text = [
      '# id = "comment"',
      'title = "a # b \\" [[steps]]" # [x]',
      'text = """',
      'id = "inside"',
      '[[steps]]',
      '"quoted"""""',
      "raw = '''",
      "id = 'inside'",
      "it''s'''",
      'list = [',
      '  "a", # ] id = 1',
      '  { id = 2 },',
      ']',
      '\'quoted key\' . "b\\u0063" = 1',
      'id = "real"\r',
      'last = 1',
    ].join('\n');
    const lineOf = findTomlLines(text);
    expect(lineOf(['title'])).toBe(2);
    expect(lineOf(['raw'])).toBe(7);
    expect(lineOf(['list'])).toBe(10);
    expect(lineOf(['quoted key', 'bc'])).toBe(14);
    expect(lineOf(['id'])).toBe(15);
    expect(lineOf(['last'])).toBe(16);
    expect(lineOf(['steps'])).toBeUndefined();
  });

  it('are found for every key of any text', () => {
    const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.array(fc.string()));
    const table = fc.dictionary(fc.string({ minLength: 1 }), leaf, { maxKeys: 4, noNullPrototype: true });
    const document = fc.record({ a: leaf, table, steps: fc.array(table, { minLength: 1, maxLength: 4 }) });
    fc.assert(
      fc.property(document, (value) => {
        const text = `# steps\n${stringify(value)}\n[end]\n`;
        const lines = text.split('\n');
        const lineOf = findTomlLines(text);
        expect(lines[(lineOf(['end']) ?? 0) - 1]).toBe('[end]');
        for (const index of value.steps.keys()) expect(lines[(lineOf(['steps', index]) ?? 0) - 1]).toBe('[[steps]]');
        for (const key of Object.keys(value.table)) {
          const writtenLine = lines[(lineOf(['table', key]) ?? 0) - 1] ?? '';
          expect(parse(writtenLine)).toHaveProperty([key]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('take no longer for a long text', () => {
    const long = 'x\\n"" '.repeat(100_000);
    const lineOf = findTomlLines(`text = """\n${long}"""\nlist = [${'1,'.repeat(100_000)}]\nlast = 1\n`);
    expect(lineOf(['last'])).toBe(4);
  });
});
