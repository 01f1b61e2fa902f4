import { describe, expect, it } from 'vitest';
import { shortAssumptionId, shortClarificationId, shortQuestionId } from './short-id.js';

const IDS = ['CLR-4-001', 'CLR-42-001', 'CLR-42-002', 'CLR-42-010', 'CLR-42-100', 'CLR-42-1000', 'CLR-421-001'];
const meant = (typed: string) => IDS.filter(shortClarificationId(typed).isMeant);

describe('a shortened id', () => {
  it.each([
    ['clr-42-1', ['CLR-42-001']],
    ['CLR-42-001', ['CLR-42-001']],
    ['Clr-042-0001', ['CLR-42-001']],
    ['clr-42-100', ['CLR-42-100']],
    ['CLR-42-01', ['CLR-42-001', 'CLR-42-010']],
    ['CLR-42-00', ['CLR-42-001', 'CLR-42-002']],
    ['clr-421', ['CLR-421-001']],
    ['clr-42-', ['CLR-42-001', 'CLR-42-002', 'CLR-42-010', 'CLR-42-100', 'CLR-42-1000']],
    ['clr-4', IDS],
    ['clr', IDS],
    ['clr-42-3', []],
  ])('%s means %j', (typed, ids) => expect(meant(typed)).toEqual(ids));

  it('says what it spells out, and of which issue', () => {
    expect(shortClarificationId('clr-42-7')).toMatchObject({ id: 'CLR-42-007', issueNumber: 42 });
    expect(shortAssumptionId('asm-1-12')).toMatchObject({ id: 'ASM-1-012', issueNumber: 1 });
    expect(shortClarificationId('clr-42')).toMatchObject({ id: 'clr-42', issueNumber: undefined });
  });

  it.each(['', '42', 'x', 'ASM-1-001', 'CLR--1', 'CLR-1-1-1', 'CLR-1-x', '__proto__', 'CLR-1-001\n'])(
    '%j is none of a clarification',
    (typed) => expect(() => shortClarificationId(typed)).toThrow('is not a valid clarification id'),
  );

  it('of a question begins as one', () => {
    expect(shortQuestionId('OQ-1a')).toBe('oq-1a');
    expect(shortQuestionId('oq')).toBe('oq-');
    expect(() => shortQuestionId('1a')).toThrow('is not a valid question id');
    expect(() => shortQuestionId('oq-../../x')).toThrow('is not a valid question id');
  });
});
