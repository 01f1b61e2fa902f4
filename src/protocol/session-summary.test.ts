import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_SUMMARY, parseSummary, summaryText } from './session-summary.js';

const facts = fc.array(
  fc
    .string({ unit: 'binary' })
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== ''),
);

describe('the summary of a session', () => {
  it('has four sections under fixed headings, each fact on a line of its own', () => {
    const summary = { decisions: ['Use SQLite.', 'Two\nlines'], codeChanges: [], errors: ['It broke.'], keyFacts: [] };
    expect(summaryText(summary)).toBe(
      '## Decisions\n\n- Use SQLite.\n- Two lines\n\n## Code changes\n\n## Errors\n\n- It broke.\n\n## Key facts\n',
    );
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.record({ decisions: facts, codeChanges: facts, errors: facts, keyFacts: facts }), (summary) => {
        expect(parseSummary(summaryText(summary))).toEqual(summary);
      }),
    );
  });

  it('is read without what belongs to no section', () => {
    const text = '# Session\n- not this\n\n### decisions\n* Use SQLite.\nand this is no item\n## Other\n- nor this';
    expect(parseSummary(text)).toEqual({ ...EMPTY_SUMMARY, decisions: ['Use SQLite.'] });
  });
});
