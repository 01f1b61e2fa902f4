import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anAssumption } from '../../../../test/builders/assumption.js';
import { AT, aClarification, aLedger } from '../../../../test/builders/clarification.js';
import { AssumptionFile, nextAssumptionId } from '../../../protocol/assumption.js';
import { ClarificationLedger, nextClarificationId } from '../../../protocol/clarification.js';
import { makeClarificationId } from '../../../protocol/ids.js';
import { parseWith } from '../../../protocol/parse.js';
import { salvageAssumptions, salvageLedger, salvageObservations } from './salvage-records.js';

const records = [1, 2, 3, 4].map((sequence) =>
  aClarification({ id: makeClarificationId(42, sequence), topic: `Topic ${sequence}` }),
);
const textOf = (value: unknown): string => JSON.stringify(value, null, 2);
const ledgerText = textOf(aLedger({ clarifications: records }));
const salvaged = (text: string, earlier: readonly string[] = []) => {
  const { document, ...rest } = salvageLedger({ issueNumber: 42, text, earlier });
  const ledger = parseWith(ClarificationLedger, document, 'The ledger');
  return { ledger, ids: ledger.clarifications.map(({ id }) => id), next: nextClarificationId(ledger), ...rest };
};

describe('salvageLedger', () => {
  it('keeps the records that fit and names the one that does not', () => {
    const clarifications = records.map((record) =>
      record.id === 'CLR-42-003' ? { ...record, status: 'asleep' } : record,
    );
    const { ids, summary, lost, next } = salvaged(textOf({ issueNumber: 42, note: 'mine', clarifications }));
    expect(ids).toEqual(['CLR-42-001', 'CLR-42-002', 'CLR-42-004']);
    expect(summary).toBe('3 of 4 clarifications kept, CLR-42-003 lost. The next is CLR-42-005.');
    expect({ lost, next }).toEqual({ lost: ['CLR-42-003'], next: 'CLR-42-005' });
  });

  it('does not give the last id again when the last record is lost', () => {
    const text = textOf({ issueNumber: 42, clarifications: [records[0], { ...records[3], round: 0 }] });
    expect(salvaged(text)).toMatchObject({ ids: ['CLR-42-001'], next: 'CLR-42-005' });
  });

  it('drops an optional field that makes no sense and says so', () => {
    const text = textOf({ issueNumber: 42, clarifications: [{ ...records[0], retries: 'many' }, records[1]] });
    const { ids, summary, ledger } = salvaged(text);
    expect(ids).toHaveLength(2);
    expect(ledger.clarifications[0]).not.toHaveProperty('retries');
    expect(summary).toContain('retries of CLR-42-001');
  });

  it('keeps the records on both sides of a slip of the editor, and goes on counting', () => {
    const text = ledgerText.replace('"topic": "Topic 2"', '"topic": "Topic 2');
    expect(salvaged(text)).toMatchObject({
      ids: ['CLR-42-001', 'CLR-42-003', 'CLR-42-004'],
      lost: ['CLR-42-002'],
      next: 'CLR-42-005',
    });
    const comma = ledgerText.replace('},\n    {\n      "id": "CLR-42-004"', '}\n    {\n      "id": "CLR-42-004"');
    expect(comma).not.toBe(ledgerText);
    expect(salvaged(comma)).toMatchObject({ ids: records.map(({ id }) => id), lost: [], next: 'CLR-42-005' });
  });

  it('takes a ledger that was written over a longer one for what it is', () => {
    const shorter = textOf(aLedger({ clarifications: records.slice(0, 2) }));
    expect(salvaged(shorter + ledgerText.slice(shorter.length))).toMatchObject({
      ids: ['CLR-42-001', 'CLR-42-002'],
      next: 'CLR-42-005',
    });
  });

  it('leaves out numbers where the last record can no longer be read', () => {
    expect(salvaged(ledgerText.replace('"CLR-42-004"', '"CLR-42-0!4"')).next).toBe('CLR-42-100004');
    expect(salvaged(ledgerText.replace('"id": "CLR-42-004"', '"id": "CLR-42-0')).next).toBe('CLR-42-100004');
  });

  it('keeps of two records with one id the one that says more', () => {
    const answered = { ...aClarification(), thread: [...aClarification().thread, ...aClarification().thread] };
    const { ledger } = salvaged(textOf({ issueNumber: 42, clarifications: [aClarification(), answered] }));
    expect(ledger.clarifications).toEqual([answered]);
  });

  it.each(['', 'null', '[]', '{}', '"hello"', '\u0000\u0000\u0000', '<<<<<<< HEAD'])(
    'makes an empty ledger of %j that gives no id again',
    (text) => {
      expect(salvaged(text)).toMatchObject({ ids: [], next: 'CLR-42-100001' });
    },
  );

  it('takes nothing from the ledger of another issue, and does not trust it about ids', () => {
    const other = textOf({ issueNumber: 8, clarifications: [aClarification({ id: 'CLR-8-001' })] });
    expect(salvaged(other)).toMatchObject({ ids: [], next: 'CLR-42-100001' });
  });

  it('goes on after the counter of an earlier repair, and where that is lost after all it could have given', () => {
    const repaired = { issueNumber: 42, lastSequence: 100_004, clarifications: [{ ...records[0], round: 0 }] };
    expect(salvaged(textOf(repaired), [ledgerText]).next).toBe('CLR-42-100005');
    expect(salvaged('', [ledgerText]).next).toBe('CLR-42-200005');
  });

  it('is not led astray by a number that somebody wrote into a question', () => {
    const topic = 'as in CLR-42-999999999999999';
    expect(salvaged(textOf({ issueNumber: 42, clarifications: [{ ...records[0], topic, round: 0 }] })).next).toBe(
      'CLR-42-002',
    );
  });

  it('does not take a record out of a text that quotes one', () => {
    const quoting = aClarification({ topic: textOf(aClarification({ id: 'CLR-42-009' })) });
    const text = `${textOf({ issueNumber: 42, clarifications: [quoting] }).slice(0, -12)} oops`;
    expect(salvaged(text).ids).not.toContain('CLR-42-009');
  });

  it('of any ledger cut at any byte keeps only whole records and gives no id again [X-12/7]', () => {
    const record = fc.record({
      topic: fc.string({ maxLength: 20 }),
      body: fc.string({ unit: 'grapheme', maxLength: 20 }),
    });
    const cuts = fc.tuple(fc.array(record, { maxLength: 5 }), fc.nat(), fc.boolean(), fc.option(fc.nat(2_000)));
    fc.assert(
      fc.property(cuts, ([made, place, isPretty, lastSequence]) => {
        const clarifications = made.map(({ topic, body }, index) =>
          aClarification({
            id: makeClarificationId(42, index + 1),
            topic,
            thread: [{ round: 1, from: 'engineer', type: 'question', body, timestamp: AT }],
          }),
        );
        const original = { issueNumber: 42, clarifications, ...(lastSequence !== null && { lastSequence }) };
        const bytes = Buffer.from(JSON.stringify(original, null, isPretty ? 2 : 0));
        const { ledger, next } = salvaged(bytes.subarray(0, place % bytes.length).toString('utf8'));
        for (const kept of ledger.clarifications) expect(clarifications).toContainEqual(kept);
        const used = Math.max(clarifications.length, lastSequence ?? 0);
        expect(Number(next.slice('CLR-42-'.length))).toBeGreaterThan(used);
      }),
      { numRuns: 500 },
    );
  });
});

describe('salvageAssumptions', () => {
  it('keeps those without an id, and counts on', () => {
    const { id: _id, ...nameless } = anAssumption();
    const made = [nameless, anAssumption({ id: 'ASM-42-002' }), { ...anAssumption({ id: 'ASM-42-003' }), decision: 7 }];
    const text = textOf({ issueNumber: 42, assumptions_made: made });
    const { document, summary } = salvageAssumptions({ issueNumber: 42, text });
    const file = parseWith(AssumptionFile, document, 'The list');
    expect(file.assumptions_made).toEqual([nameless, anAssumption({ id: 'ASM-42-002' })]);
    expect(nextAssumptionId(file)).toBe('ASM-42-004');
    expect(summary).toBe('2 of 3 assumptions kept, ASM-42-003 lost. The next is ASM-42-004.');
  });
});

describe('salvageObservations', () => {
  it('keeps those of its issue', () => {
    const observation = (issueNumber: number) => ({
      id: `obs-engineer-${issueNumber}-1709035200000-a1b2c3`,
      agent: 'engineer',
      issueNumber,
      category: 'decision',
      summary: 'SQLite',
      tokens: 2,
      timestamp: AT,
      content: 'SQLite for development',
      sessionId: 's1',
    });
    const text = textOf({
      version: 9,
      issueNumber: 42,
      updatedAt: AT,
      observations: [observation(42), observation(7)],
    });
    const { document, lost } = salvageObservations({ issueNumber: 42, text }, AT);
    expect(document).toMatchObject({ version: 1, observations: [observation(42)] });
    expect(lost).toEqual([observation(7).id]);
  });
});
