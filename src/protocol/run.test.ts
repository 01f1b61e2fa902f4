import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { refusalOf } from '../../test/builders/refusal.js';
import { aRun } from '../../test/builders/run.js';
import { AgentXError } from './errors.js';
import {
  createRun,
  isFinished,
  RUN_TRANSITIONS,
  Run,
  type RunEvent,
  type RunFact,
  RunStatus,
  transition,
} from './run.js';

const at = '2026-02-26T11:00:00.000Z';
const events: readonly RunEvent[] = [
  { type: 'start', at },
  { type: 'pause', at, waitingOn: ['oq-1a2b3c4d'] },
  { type: 'resume', at },
  { type: 'finish', at },
  { type: 'fail', at, reason: 'the engineer failed twice' },
  { type: 'stop', at, reason: 'by hand' },
  { type: 'enter-execution', at },
  { type: 'record', at, facts: [{ type: 'step-ended', at, step: 'design', outcome: 'done' }] },
  { type: 'rework', at, facts: [{ type: 'reopened', at, steps: ['design'], questionId: 'oq-1a2b3c4d' }] },
];

describe('the transition table', () => {
  it('leads every legal pair to its status, in the journal, and refuses every other, naming both', () => {
    for (const status of RunStatus.options) {
      for (const event of events) {
        const run = aRun({ status });
        const next = RUN_TRANSITIONS[status][event.type];
        if (next !== undefined) {
          const moved = transition(run, event);
          expect([status, event.type, moved.status]).toEqual([status, event.type, next]);
          expect(moved.journal).toHaveLength(1);
          expect(moved.updatedAt).toBe(at);
          continue;
        }
        const refusal = refusalOf(() => transition(run, event));
        expect(refusal.code).toBe('INVALID_STATE');
        expect(refusal.message).toContain(`is ${status}, which does not take '${event.type}'`);
      }
    }
  });
});

describe('a run', () => {
  it('begins created, in planning, with its birth in the journal', () => {
    const run = createRun({ id: 'run-42-1', issueNumber: 42, workflow: 'feature', at });
    expect(z.parse(Run, run)).toEqual(run);
    expect(run).toMatchObject({ status: 'created', phase: 'planning', journal: [{ at, type: 'created' }] });
  });

  it('waits on questions while it is paused and on none afterwards', () => {
    const paused = transition(aRun(), { type: 'pause', at, waitingOn: ['oq-1', 'oq-2'] });
    expect(paused.waitingOn).toEqual(['oq-1', 'oq-2']);
    expect(transition(paused, { type: 'record', at, facts: [] }).waitingOn).toEqual(['oq-1', 'oq-2']);
    expect(transition(paused, { type: 'resume', at }).waitingOn).toEqual([]);
  });

  it('stays in execution once it entered it', () => {
    const executing = transition(aRun(), { type: 'enter-execution', at });
    expect(executing.phase).toBe('execution');
    expect(transition(transition(executing, { type: 'enter-execution', at }), { type: 'finish', at }).phase).toBe(
      'execution',
    );
  });

  it('journals facts in their order and changes nothing else', () => {
    const facts: readonly RunFact[] = [
      { type: 'step-started', at, step: 'design', attempt: 1 },
      { type: 'step-ended', at, step: 'design', outcome: 'done' },
    ];
    const run = aRun();
    expect(transition(run, { type: 'record', at, facts })).toEqual({ ...run, updatedAt: at, journal: facts });
  });

  it('keeps fields it does not know', () => {
    const extended = { ...aRun(), worker: 'w1' };
    expect(transition(extended, { type: 'finish', at })).toMatchObject({ worker: 'w1' });
  });
});

it('no sequence of events leaves the defined statuses, and a finished run changes only to be reworked', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40 }), (sequence) => {
      let run: Run = createRun({ id: 'run-42-1', issueNumber: 42, workflow: 'feature', at });
      for (const event of sequence) {
        const before = run;
        try {
          run = transition(run, event);
        } catch (error) {
          expect(error).toBeInstanceOf(AgentXError);
        }
        if (isFinished(before) && event.type !== 'rework') expect(run).toBe(before);
        expect(z.safeParse(Run, run).success).toBe(true);
      }
    }),
  );
});

it('refuses ids that could be a path or a prototype key', () => {
  for (const id of ['constructor', '__proto__', '../run-1', 'run-', 'run-a/b']) {
    expect(z.safeParse(Run, { ...aRun(), id }).success).toBe(false);
  }
});
