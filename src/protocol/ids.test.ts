import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { refusalOf } from '../../test/builders/refusal.js';
import {
  AgentName,
  ClarificationId,
  escalationQuestionId,
  makeAssumptionId,
  makeClarificationId,
  makeObservationId,
  makeQuestionId,
  ObservationId,
  parseAgentName,
  parseAssumptionId,
  parseClarificationId,
  parseIssueNumber,
  parseObservationId,
  parseQuestionId,
  QuestionId,
} from './ids.js';

const hostile = ['', ' ', '../x', '__proto__', 'CLR-42-001\n', 'x'.repeat(100_000), '\u0000', 'CLR-1-001/../../etc'];

describe('clarification ids', () => {
  it('pad the sequence to three digits and let it grow [US-1.1/5]', () => {
    expect(makeClarificationId(42, 1)).toBe('CLR-42-001');
    expect(makeClarificationId(0, 1000)).toBe('CLR-0-1000');
    expect(parseClarificationId('CLR-42-1234')).toEqual({ issueNumber: 42, sequence: 1234 });
  });

  it('have exactly one spelling', () => {
    for (const id of [
      'CLR-042-001',
      'CLR-42-1',
      'CLR-42-0001',
      'CLR-42-000',
      'clr-42-001',
      'CLR--1-001',
      'CLR-4.2-001',
    ]) {
      expect(refusalOf(() => parseClarificationId(id)).code).toBe('INVALID_INPUT');
      expect(z.safeParse(ClarificationId, id).success).toBe(false);
    }
  });

  it('come back from text as they went in', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 1e9 }), (issueNumber, sequence) => {
        const id = makeClarificationId(issueNumber, sequence);
        expect(parseClarificationId(id)).toEqual({ issueNumber, sequence });
        expect(z.safeParse(ClarificationId, id).success).toBe(true);
      }),
    );
  });

  it('name the offender and the pattern when refused', () => {
    const refusal = refusalOf(() => parseClarificationId('CLR-42-1'));
    expect(refusal.message).toContain("'CLR-42-1'");
    expect(refusal.message).toContain('CLR-42-001');
  });
});

describe('issue numbers', () => {
  it('are whole and not negative; 0 is one of them [US-1.1/17]', () => {
    expect([parseIssueNumber(0), parseIssueNumber('42'), parseIssueNumber('#42')]).toEqual([0, 42, 42]);
    for (const value of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '-1', '1.5', '1e3', '', '042', ' 1']) {
      expect(refusalOf(() => parseIssueNumber(value)).code).toBe('INVALID_INPUT');
    }
  });
});

describe('agent names', () => {
  it('are lower-case kebab-case, with pm short for product-manager', () => {
    expect([parseAgentName('pm'), parseAgentName('devops-engineer')]).toEqual(['product-manager', 'devops-engineer']);
  });

  it('cannot be a key of the object prototype', () => {
    for (const name of [...Object.getOwnPropertyNames(Object.prototype), 'prototype']) {
      expect(refusalOf(() => parseAgentName(name)).code).toBe('INVALID_INPUT');
      expect(z.safeParse(AgentName, name).success).toBe(false);
    }
  });
});

describe('other ids', () => {
  it('assumptions are numbered like clarifications', () => {
    expect(makeAssumptionId(42, 7)).toBe('ASM-42-007');
    expect(parseAssumptionId('ASM-42-007')).toEqual({ issueNumber: 42, sequence: 7 });
  });

  it('questions are made of eight hexadecimal digits and read in any safe spelling', () => {
    expect(makeQuestionId('1a2b3c4d')).toBe('oq-1a2b3c4d');
    expect(refusalOf(() => makeQuestionId('1A2B3C4D')).code).toBe('INVALID_INPUT');
    expect(parseQuestionId('oq-Any_safe-1')).toBe('oq-Any_safe-1');
  });

  it('observations carry agent, issue and time, also for agents with dashes and digits', () => {
    const parts = { agent: 'agent-7', issueNumber: 29, timestampMs: 1709035200000, suffix: 'a1b2c3' };
    expect(makeObservationId(parts)).toBe('obs-agent-7-29-1709035200000-a1b2c3');
    expect(parseObservationId('obs-agent-7-29-1709035200000-a1b2c3')).toEqual(parts);
  });

  it('refuse hostile text with a short coded error', () => {
    const parsers = [parseClarificationId, parseAssumptionId, parseObservationId, parseQuestionId, parseAgentName];
    for (const parse of parsers) {
      for (const text of hostile) {
        const refusal = refusalOf(() => parse(text));
        expect(refusal.code).toBe('INVALID_INPUT');
        expect(refusal.message.length).toBeLessThan(300);
      }
    }
    for (const text of hostile) expect(z.safeParse(ObservationId, text).success).toBe(false);
  });
});

describe('the question of an escalation', () => {
  it('has an id derived from record and round, the same each time', () => {
    expect(escalationQuestionId('CLR-42-001', 5)).toBe(escalationQuestionId('CLR-42-001', 5));
    expect(z.safeParse(QuestionId, escalationQuestionId('CLR-42-001', 5)).success).toBe(true);
  });

  it('shares its id with no other of ten thousand', () => {
    const ids = new Set<string>();
    for (let issue = 0; issue < 100; issue++) {
      for (let sequence = 1; sequence <= 20; sequence++) {
        for (let round = 1; round <= 5; round++)
          ids.add(escalationQuestionId(makeClarificationId(issue, sequence), round));
      }
    }
    expect(ids.size).toBe(10_000);
  });
});
