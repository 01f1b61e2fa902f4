import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { refusalOf } from '../../test/builders/refusal.js';
import {
  AGENT_STATUS_TRANSITIONS,
  AgentStatus,
  AgentStatusEntry,
  type AgentStatusEvent,
  AgentStatusFile,
  applyStatusEvent,
  statusForIssue,
} from './agent-status.js';
import { AgentXError } from './errors.js';

const at = '2026-02-26T10:00:00.000Z';
const issue = 42;
const context = { issue, at, clarificationId: 'CLR-42-001' };

const assign: AgentStatusEvent = { type: 'assign', issue, at };
const block: AgentStatusEvent = { type: 'block', ...context, waitingOn: 'architect' };
const unblock: AgentStatusEvent = { type: 'unblock', ...context };
const startClarifying: AgentStatusEvent = { type: 'start-clarifying', ...context, respondingTo: 'engineer' };
const finishClarifying: AgentStatusEvent = { type: 'finish-clarifying', ...context };
const setDone: AgentStatusEvent = { type: 'set', issue, at, status: 'done' };
const events = [
  assign,
  block,
  unblock,
  startClarifying,
  finishClarifying,
  setDone,
  { type: 'complete', issue, at },
  { type: 'fail', issue, at },
  { type: 'retry', issue, at },
] as const satisfies readonly AgentStatusEvent[];

function anEntry(fields: Partial<AgentStatusEntry> = {}): AgentStatusEntry {
  return {
    status: 'working',
    issue,
    lastActivity: at,
    clarificationId: null,
    waitingOn: null,
    respondingTo: null,
    ...fields,
  };
}

function entryAfter(...sequence: readonly AgentStatusEvent[]): AgentStatusEntry | undefined {
  return sequence.reduce<AgentStatusEntry | undefined>(applyStatusEvent, undefined);
}

describe('the transition table', () => {
  it('leads every legal pair to its status and refuses every other, naming both', () => {
    for (const status of AgentStatus.options) {
      for (const event of events) {
        const clarificationId = status === 'clarifying' || status === 'blocked-clarification' ? 'CLR-42-001' : null;
        const entry = anEntry({ status, clarificationId });
        const next = AGENT_STATUS_TRANSITIONS[status][event.type];
        if (next !== undefined) {
          const expected = next === 'given' ? 'done' : next === 'previous' ? 'working' : next;
          expect([status, event.type, applyStatusEvent(entry, event).status]).toEqual([status, event.type, expected]);
          continue;
        }
        const refusal = refusalOf(() => applyStatusEvent(entry, event));
        expect(refusal.code).toBe('INVALID_STATE');
        expect(refusal.message).toContain(`is ${status} `);
        expect(refusal.message).toContain(`'${event.type}'`);
      }
    }
  });
});

describe('an agent', () => {
  it.each<[string, AgentStatus, readonly AgentStatusEvent[]]>([
    ['turns working when it is given an issue [US-3.1/8]', 'working', [assign]],
    ['turns clarifying when it is asked at work [US-3.1/9]', 'clarifying', [assign, startClarifying]],
    ['works again when it has answered [US-3.1/10]', 'working', [assign, startClarifying, finishClarifying]],
    ['is blocked while it waits for an answer [US-3.1/11]', 'blocked-clarification', [assign, block]],
    ['works again when it has the answer [US-3.1/12]', 'working', [assign, block, unblock]],
    ['turns done when its work is finished [US-3.1/14]', 'done', [assign, { type: 'complete', issue, at }]],
    ['turns stuck when it fails [US-3.1/15]', 'stuck', [assign, { type: 'fail', issue, at }]],
    [
      'works again when it is retried [US-3.1/16]',
      'working',
      [assign, { type: 'fail', issue, at }, { type: 'retry', issue, at }],
    ],
  ])('%s', (_, status, sequence) => {
    expect(entryAfter(...sequence)?.status).toBe(status);
  });

  it('stays done until it is given new work or set by hand [US-3.1/17]', () => {
    for (const type of ['fail', 'retry'] as const) {
      expect(refusalOf(() => entryAfter(setDone, { type, issue, at })).code).toBe('INVALID_STATE');
    }
    expect(entryAfter(setDone, startClarifying, finishClarifying)?.status).toBe('done');
    expect(entryAfter(setDone, assign)?.status).toBe('working');
    expect(entryAfter(setDone, { type: 'set', issue, at, status: 'idle' })?.status).toBe('idle');
  });
});

describe('a clarification', () => {
  it('names itself and the other side while it lasts, and leaves null behind [US-3.1/2] [US-3.1/3] [US-3.1/4]', () => {
    expect(entryAfter(assign, startClarifying)).toMatchObject({
      status: 'clarifying',
      clarificationId: 'CLR-42-001',
      respondingTo: 'engineer',
      waitingOn: null,
    });
    expect(entryAfter(assign, block)).toMatchObject({
      status: 'blocked-clarification',
      clarificationId: 'CLR-42-001',
      waitingOn: 'architect',
      respondingTo: null,
    });
    const nothing = { clarificationId: null, waitingOn: null, respondingTo: null };
    expect(entryAfter(assign, block, unblock)).toMatchObject({ status: 'working', ...nothing });
    expect(entryAfter(assign, startClarifying, finishClarifying)).toMatchObject({ status: 'working', ...nothing });
  });

  it('returns to the status before it, from any [US-3.1/18]', () => {
    for (const status of ['idle', 'working', 'done', 'stuck'] as const) {
      for (const [enter, leave] of [
        [block, unblock],
        [startClarifying, finishClarifying],
      ] as const) {
        const entry = anEntry({ status });
        const inside = applyStatusEvent(entry, enter);
        expect(inside.status).toBe(AGENT_STATUS_TRANSITIONS[status][enter.type]);
        expect(applyStatusEvent(inside, leave).status).toBe(status);
      }
    }
    const nested = entryAfter(assign, block, { ...startClarifying, clarificationId: 'CLR-42-002' });
    expect(nested?.status).toBe('clarifying');
    const resumed = applyStatusEvent(nested, { ...finishClarifying, clarificationId: 'CLR-42-002' });
    expect(resumed).toMatchObject({ status: 'blocked-clarification', waitingOn: 'architect' });
    expect(applyStatusEvent(resumed, unblock).status).toBe('working');
  });

  it('may end out of order', () => {
    const nested = entryAfter(assign, block, { ...startClarifying, clarificationId: 'CLR-42-002' }, unblock);
    expect(nested).toMatchObject({ status: 'clarifying', clarificationId: 'CLR-42-002' });
    expect(applyStatusEvent(nested, { ...finishClarifying, clarificationId: 'CLR-42-002' }).status).toBe('working');
  });

  it('cannot be ended by the id of another', () => {
    expect(refusalOf(() => entryAfter(assign, block, { ...unblock, clarificationId: 'CLR-42-009' })).code).toBe(
      'INVALID_STATE',
    );
  });

  it('entered twice is entered once', () => {
    expect(entryAfter(assign, block, block, unblock)?.status).toBe('working');
  });
});

describe('an entry', () => {
  it('keeps each issue apart and shows the latest activity on top [US-3.1/19]', () => {
    const entry = entryAfter(assign, block, { type: 'assign', issue: 7, at: '2026-02-26T10:01:00.000Z' });
    expect(entry).toMatchObject({
      status: 'working',
      issue: 7,
      clarificationId: null,
      lastActivity: '2026-02-26T10:01:00.000Z',
    });
    expect(statusForIssue(entry, 42)).toMatchObject({ status: 'blocked-clarification', waitingOn: 'architect' });
    expect(statusForIssue(entry, 7).status).toBe('working');
    expect(statusForIssue(entry, 8).status).toBe('idle');
    expect(z.parse(AgentStatusEntry, entry)).toEqual(entry);
  });

  it('keeps nothing of an issue on which the agent only answered', () => {
    const on = (issue: number) => ({ issue, at, clarificationId: `CLR-${issue}-001` });
    const worked = applyStatusEvent(undefined, { type: 'assign', issue: 1, at });
    const busy = applyStatusEvent(worked, { type: 'start-clarifying', respondingTo: 'engineer', ...on(2) });
    const answered = applyStatusEvent(busy, { type: 'finish-clarifying', ...on(2) });
    expect(Object.keys(busy.issues ?? {})).toEqual(['1', '2']);
    expect(Object.keys(answered.issues ?? {})).toEqual(['1']);
    expect(statusForIssue(answered, 2)).toMatchObject({ status: 'idle', clarificationId: null });
  });

  it('believes its own fields over what it kept for that issue, since another program may know only those', () => {
    const edited = { ...anEntry({ status: 'done' }), issues: { '42': { status: 'working' as const } } };
    expect(statusForIssue(edited, 42).status).toBe('done');
  });

  it('is idle before anything happened [US-3.1/7]', () => {
    expect(statusForIssue(undefined, 42).status).toBe('idle');
  });

  it('can be set by hand from any status, with and without an issue', () => {
    for (const status of AgentStatus.options)
      expect(applyStatusEvent(anEntry({ status }), setDone).status).toBe('done');
    const entry = applyStatusEvent(entryAfter(assign, block), { type: 'set', issue: null, at, status: 'idle' });
    expect(entry).toMatchObject({ status: 'idle', issue: null, clarificationId: null, waitingOn: null });
    expect(statusForIssue(entry, 42).status).toBe('blocked-clarification');
  });

  it('keeps fields it does not know', () => {
    const entry = { ...anEntry(), mood: 'calm', issues: { '42': { status: 'working' as const, note: 'x' } } };
    expect(applyStatusEvent(entry, block)).toMatchObject({ mood: 'calm' });
    const back = applyStatusEvent(applyStatusEvent(entry, block), unblock);
    expect(back.issues?.['42']).toMatchObject({ status: 'working', note: 'x' });
    // For an issue, `since` is ours; beside the entry's own fields other programs may have written it.
    expect(z.safeParse(AgentStatusEntry, { ...entry, since: 'monday' }).success).toBe(true);
    expect(applyStatusEvent(anEntry(), setDone)).not.toHaveProperty('since');
  });
});

it('no sequence of events leaves the defined statuses', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40 }), (sequence) => {
      let entry: AgentStatusEntry | undefined;
      for (const event of sequence) {
        try {
          entry = applyStatusEvent(entry, event);
        } catch (error) {
          expect(error).toBeInstanceOf(AgentXError);
        }
        if (entry !== undefined) expect(z.safeParse(AgentStatusEntry, entry).success).toBe(true);
      }
    }),
  );
});

it('refuses prototype keys and malformed entries in the file', () => {
  const entry = JSON.stringify(anEntry());
  for (const text of [
    `{"__proto__":${entry}}`,
    `{"constructor":${entry}}`,
    `{"Engineer":${entry}}`,
    '{"engineer":{"status":"dancing","issue":null,"lastActivity":"2026-02-26T10:00:00Z"}}',
    '{"engineer":{"status":"idle","issue":-1,"lastActivity":"2026-02-26T10:00:00Z"}}',
    `{"engineer":{"status":"idle","issue":1,"lastActivity":"${at}","issues":{"x":{"status":"idle"}}}}`,
    '[]',
    'null',
  ]) {
    expect([text, z.safeParse(AgentStatusFile, JSON.parse(text)).success]).toEqual([text, false]);
  }
  expect(z.parse(AgentStatusFile, {})).toEqual({});
});
