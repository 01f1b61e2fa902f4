import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { anAssumption } from '../../test/builders/assumption.js';
import { refusalOf } from '../../test/builders/refusal.js';
import {
  ASSUMPTION_TRANSITIONS,
  Assumption,
  type AssumptionEvent,
  AssumptionFile,
  AssumptionStatus,
  emptyAssumptionFile,
  nextAssumptionId,
  readDecision,
  transition,
} from './assumption.js';

const at = '2026-02-26T11:00:00.000Z';
const events: readonly AssumptionEvent[] = [
  { type: 'confirm', at, by: 'ana' },
  { type: 'reject', at, by: 'ana', reason: 'We have live keys.' },
  { type: 'overturn', at, by: 'ana', reason: 'We have live keys.' },
];

describe('the transition table', () => {
  it('leads every legal pair to its status and refuses every other, naming both', () => {
    for (const status of AssumptionStatus.options) {
      for (const event of events) {
        const next = ASSUMPTION_TRANSITIONS[status][event.type];
        const attempt = () => transition(anAssumption({ status }), event);
        if (next !== undefined) {
          expect(attempt()).toMatchObject({ status: next, decidedAt: at, decidedBy: 'ana' });
          continue;
        }
        const refusal = refusalOf(attempt);
        expect(refusal.code).toBe('INVALID_STATE');
        expect(refusal.message).toContain(`ASM-42-001 is ${status}, which does not take '${event.type}'`);
      }
    }
  });
});

describe('an assumption', () => {
  it('keeps why it was rejected, which must be said', () => {
    const reject = { type: 'reject', at, by: 'ana', reason: 'We have live keys.' } as const;
    expect(transition(anAssumption(), reject).rejection).toBe('We have live keys.');
    expect(refusalOf(() => transition(anAssumption(), { ...reject, reason: '' })).code).toBe('INVALID_INPUT');
  });

  it('is read in the words of an agent [PM-5/2] [PM-5/5]', () => {
    const written = { decision: 'Use the sandbox.', confidence: 'Low', blocker_type: 'Security Decision' };
    expect(readDecision(written)).toMatchObject({ confidence: 'low', blocker_type: 'security_decision' });
    expect(readDecision('Use the sandbox.')).toMatchObject({ confidence: 'medium', blocker_type: 'none' });
  });

  it('without a status, as others write it, is standing', () => {
    const { status: _status, id: _id, ...literal } = anAssumption();
    expect(transition(literal, { type: 'confirm', at, by: 'ana' }).status).toBe('confirmed');
  });

  it('has the six fields with their allowed values [PM-5/1] [PM-5/2] [PM-5/4] [PM-5/5] [PM-5/6] [PM-7/2]', () => {
    for (const field of ['decision', 'blocker_type', 'user_response', 'reasoning', 'confidence', 'risk_if_wrong']) {
      expect(z.safeParse(Assumption, { ...anAssumption(), [field]: undefined }).success).toBe(false);
    }
    expect(z.safeParse(Assumption, anAssumption()).success).toBe(true);
    expect(z.safeParse(Assumption, { ...anAssumption(), blocker_type: 'mood' }).success).toBe(false);
    expect(z.safeParse(Assumption, { ...anAssumption(), confidence: 'total' }).success).toBe(false);
  });
});

describe('the file of an issue', () => {
  it('numbers after the highest it ever gave', () => {
    expect(nextAssumptionId(emptyAssumptionFile(42))).toBe('ASM-42-001');
    const { id: _id, ...unnumbered } = anAssumption();
    const file = { issueNumber: 42, assumptions_made: [unnumbered, anAssumption({ id: 'ASM-42-004' })] };
    expect(nextAssumptionId(file)).toBe('ASM-42-005');
    expect(nextAssumptionId({ ...file, lastSequence: 9 })).toBe('ASM-42-010');
  });

  it('refuses an id twice', () => {
    const assumptions_made = [anAssumption(), anAssumption()];
    expect(z.safeParse(AssumptionFile, { issueNumber: 42, assumptions_made }).success).toBe(false);
  });
});
