import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reconcileStatuses } from '../../src/hub/statuses.js';
import { findCycles } from '../../src/hub/wait-graph.js';
import { runCheck } from '../../src/monitor/sweep.js';
import type { Store } from '../../src/ports/store.js';
import { AgentXError } from '../../src/protocol/errors.js';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { aHub, fixedClock, type TestHub } from '../builders/hub.js';
import { anIssue } from '../builders/issue.js';
import { repetitions } from '../support/mode.js';
import { type Command, command, opening } from './commands.js';

const SEQUENCES = repetitions({ short: 300, long: 1000 });
const START = Date.parse('2026-02-26T10:00:00.000Z');

/** A command, and the minutes that pass before it: now and then enough for something to be overdue. */
interface Step {
  readonly command: Command;
  readonly minutes: number;
}
const step: fc.Arbitrary<Step> = fc.record({ command, minutes: fc.constantFrom(0, 1, 1, 1, 12, 31) });
const sequence = fc
  .tuple(opening, fc.array(step, { minLength: 1, maxLength: 12 }))
  .map(([first, rest]) => [...first.map((command) => ({ command, minutes: 1 })), ...rest]);

describe('any sequence of commands', () => {
  it(`has the same results and leaves the same state on files as in memory (${SEQUENCES} sequences)`, async () => {
    const statuses = new Set<string>();
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const root = mkdtempSync(join(tmpdir(), 'agentx-sequence-'));
        try {
          // Opened anew for every command, as separate processes do.
          const onFiles = await play(steps, () => openFileStore({ root, sync: false }));
          const store = openInMemoryStore();
          const inMemory = await play(steps, () => store);
          expect(onFiles).toEqual(inMemory);
          await expectWhole(store, steps);
          for (const { clarifications } of inMemory.ledgers)
            for (const { status } of clarifications) statuses.add(status);
          for (const { refused } of inMemory.results) if (refused !== undefined) codes.add(refused);
        } finally {
          rmSync(root, { recursive: true, force: true });
        }
      }),
      { numRuns: SEQUENCES },
    );
    // Otherwise the sequences do not reach what they are meant to compare.
    expect([...statuses].toSorted()).toEqual(['abandoned', 'answered', 'escalated', 'pending', 'resolved']);
    for (const code of ['INVALID_INPUT', 'INVALID_STATE', 'NOT_FOUND', 'SCOPE_VIOLATION', 'UNAUTHORIZED', 'CONFLICT']) {
      expect([...codes]).toContain(code);
    }
  });
});

/** What must hold once a sweep has looked at everything, whatever came before. */
async function expectWhole(store: Store, steps: readonly Step[]): Promise<void> {
  const now = steps.reduce((sum, { minutes }) => sum + minutes * 60_000, START);
  const at = new Date(now).toISOString();
  await runCheck(await hubAt(store, now));
  const state = await stateOf(store);
  const records = state.ledgers.flatMap(({ clarifications }) => clarifications);
  expect(findCycles(records)).toEqual([]);
  const waiting = records.filter(({ status }) => status === 'escalated');
  const open = state.open.items.map(({ id }) => id);
  expect(open.toSorted()).toEqual(waiting.map(({ id, round }) => escalationQuestionId(id, round)).toSorted());
  for (const { issueNumber, clarifications } of state.ledgers) {
    expect(reconcileStatuses(state.statuses, { issueNumber, records: clarifications, at })).toBe(state.statuses);
  }
  for (const { round, maxRounds, thread } of records) {
    expect(round).toBeLessThanOrEqual(maxRounds);
    expect(thread.map((entry) => entry.round)).toEqual(thread.map((entry) => entry.round).toSorted((a, b) => a - b));
  }
  await runCheck(await hubAt(store, now));
  expect(await stateOf(store)).toEqual(state);
}

async function play(steps: readonly Step[], open: () => Store) {
  await file(open());
  let now = START;
  const results: Result[] = [];
  for (const { command: words, minutes } of steps) {
    now += minutes * 60_000;
    results.push(await carryOut(words, await hubAt(open(), now)));
  }
  return { results, ...(await stateOf(open())) };
}

interface Result {
  readonly command: string;
  readonly value?: unknown;
  readonly refused?: string;
  readonly message?: string;
  readonly events: readonly unknown[];
}

async function carryOut({ name, run }: Command, hub: TestHub): Promise<Result> {
  try {
    const value = await run(hub);
    return { command: name, value: JSON.parse(JSON.stringify(value ?? null)), events: hub.bus.events };
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    return { command: name, refused: error.code, message: error.message, events: hub.bus.events };
  }
}

/** The architect answers, the product manager has nothing to say: that is how records come to be escalated. */
async function hubAt(store: Store, now: number): Promise<TestHub> {
  const clock = fixedClock(new Date(now).toISOString());
  return aHub({ store, issues: 0, clock, turns: { 'product-manager': [''] } });
}

async function file(store: Store): Promise<void> {
  for (const _ of [1, 2]) await store.issues.create(anIssue());
}

async function stateOf(store: Store) {
  const numbers = [0, 1, 2, 9];
  return {
    ledgers: await Promise.all(numbers.map((number) => store.ledgers.read(number))),
    active: await store.ledgers.list({ active: true }),
    statuses: await store.statuses.read(),
    questions: await store.questions.list(),
    open: await store.questions.list({ status: 'open' }),
    assumptions: await store.assumptions.list(),
    issues: await store.issues.list(),
  };
}
