import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { aQuestion } from '../../test/builders/question.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { transition } from '../protocol/clarification-transition.js';
import { UNPAINTED } from './conversation.js';
import { RunStream, type RunStreamView, type ToldEvent } from './run-stream.js';

const run = { runId: 'run-42-ab12cd34', issueNumber: 42, timestamp: 0 };
const implement = { ...run, step: 'implement', agent: 'engineer', title: 'Implement Health endpoint' };
const review = { ...run, step: 'review', agent: 'reviewer', title: 'Review Health endpoint' };

const started: ToldEvent = {
  name: 'run-started',
  payload: { ...run, title: 'Health endpoint', workflow: 'feature', steps: 5, isResumed: false },
};
const turnStarted: ToldEvent = { name: 'turn-started', payload: { ...implement, turn: 1, timestamp: 1000 } };
const turnEnded: ToldEvent = {
  name: 'turn-ended',
  payload: { ...implement, turn: 1, artifacts: ['src/health.ts'], refused: [], durationMs: 2100 },
};
const stepEnded: ToldEvent = { name: 'step-ended', payload: { ...implement, outcome: 'done' } };

const LIVE: RunStreamView = { paint: UNPAINTED, width: 80, isLive: true, asksInPlace: true, you: 'ada' };
const PLAIN: RunStreamView = { paint: UNPAINTED, isLive: false, you: 'ada' };

function told(stream: RunStream, events: readonly ToldEvent[]): string {
  return events.flatMap((event) => stream.tell(event) ?? []).join('\n');
}

function entries(stream: RunStream, record: ClarificationRecord): string {
  return record.thread.map((entry) => stream.tellEntry(record, entry)).join('\n');
}

describe('the stream of a run', () => {
  it('shows a step when it is done, with its time and what it wrote', () => {
    expect(told(new RunStream(LIVE), [started, turnStarted, turnEnded, stepEnded])).toBe(
      [
        '#42 Health endpoint  (feature, 5 steps)',
        '',
        '[Engineer]        Implement Health endpoint                          done   2.1s',
        '  src/health.ts',
      ].join('\n'),
    );
  });

  it('shows the time of a step that took none, and none of a step that took no turn', () => {
    const quick: ToldEvent = {
      name: 'turn-ended',
      payload: { ...implement, turn: 1, artifacts: [], refused: [], durationMs: 0 },
    };
    expect(told(new RunStream(LIVE), [turnStarted, quick, stepEnded])).toMatch(/ done {3}0\.0s$/);
    expect(told(new RunStream(LIVE), [stepEnded])).toMatch(/ done$/);
  });

  it('says that an agent that failed is tried once more, until it is or a human is asked', () => {
    const failed: ToldEvent = { name: 'turn-failed', payload: { ...implement, turn: 1, error: 'no', durationMs: 10 } };
    const question = aQuestion({ kind: 'agent_failed', issueNumber: 42 });
    const asked: ToldEvent = {
      name: 'notification-added',
      payload: { ...run, projectId: 'shop', notification: question },
    };
    const stream = new RunStream(LIVE);
    told(stream, [started, turnStarted, failed]);
    const waiting = { agent: 'engineer', what: 'failed, is tried once more: Implement Health endpoint', since: 0 };
    expect(stream.atWork).toEqual([waiting]);
    told(stream, [turnStarted]);
    expect(stream.atWork).toMatchObject([{ what: 'Implement Health endpoint' }]);
    told(stream, [failed, asked]);
    expect(stream.atWork).toEqual([]);
  });

  it('says when a step starts where no line can change', () => {
    expect(told(new RunStream(PLAIN), [turnStarted, turnEnded, stepEnded])).toBe(
      [
        '[Engineer]        Implement Health endpoint                                  started',
        '[Engineer]        Implement Health endpoint                              done   2.1s',
        '  src/health.ts',
      ].join('\n'),
    );
  });

  it('has the entries of threads that are told in between each other say to which they belong', () => {
    const stream = new RunStream(PLAIN);
    const ends = (id: string) => {
      const record = aClarification({ id, topic: id });
      const answered = transition(record, { type: 'answer', at: AT, by: 'architect', body: 'Two.' }).record;
      return transition(answered, { type: 'resolve', at: AT, by: 'engineer', body: 'Clear.' }).record;
    };
    const [one, other] = [ends('CLR-42-001'), ends('CLR-42-002')];
    const tell = (record: ClarificationRecord, index: number) =>
      record.thread
        .slice(index, index + 1)
        .map((entry) => stream.tellEntry(record, entry))
        .join()
        .trim()
        .split('\n')[0];
    expect([tell(one, 0), tell(other, 0), tell(other, 1), tell(one, 1), tell(one, 2), tell(other, 2)]).toEqual([
      expect.stringContaining('Clarification: CLR-42-001 (CLR-42-001, '),
      expect.stringContaining('Clarification: CLR-42-002 (CLR-42-002, '),
      '[Architect] (CLR-42-002) Two.',
      '[Architect] (CLR-42-001) Two.',
      '[Engineer] (CLR-42-001) Clarification resolved. Continuing...',
      '[Engineer] (CLR-42-002) Clarification resolved. Continuing...',
    ]);
    const third = ends('CLR-42-003');
    expect([tell(third, 0), tell(third, 1), tell(third, 2)].slice(1)).toEqual([
      '[Architect] Two.',
      '[Engineer] Clarification resolved. Continuing...',
    ]);
  });

  it('says what an agent is at before it asks, and sets the conversation apart', () => {
    const stream = new RunStream({ ...LIVE, width: 100 });
    stream.tell(turnStarted);
    const answered = transition(aClarification(), { type: 'answer', at: AT, by: 'architect', body: 'Two.' }).record;
    const { record } = transition(answered, { type: 'resolve', at: AT, by: 'engineer', body: 'Clear.' });
    expect(entries(stream, record)).toBe(
      [
        '[Engineer]        Implement Health endpoint...',
        '',
        `[Engineer -> Architect] Clarification: ${record.topic} (CLR-42-001, round 1/5, blocking)`,
        '  SQLite or PostgreSQL?',
        '[Architect] Two.',
        '[Engineer] Clarification resolved. Continuing...',
      ].join('\n'),
    );
    expect(told(stream, [turnEnded, stepEnded])).toMatch(/^\n\[Engineer\] .* done/);
  });

  it('says so only of the issue that the question is about', () => {
    const stream = new RunStream({ ...LIVE, showsIssue: true });
    stream.tell({ name: 'turn-started', payload: { ...implement, runId: 'run-7-ab12cd34', issueNumber: 7, turn: 1 } });
    expect(entries(stream, aClarification())).not.toContain('#7');
    expect(entries(stream, aClarification({ id: 'CLR-7-001' }))).toContain('#7 Implement Health endpoint...');
  });

  it('knows who is at work and since when: agents on their steps, and agents that are asked', () => {
    const stream = new RunStream(LIVE);
    stream.tell(turnStarted);
    expect(stream.atWork).toEqual([{ agent: 'engineer', what: 'Implement Health endpoint', since: 1000 }]);
    stream.tell(turnEnded);
    const pending = aClarification({ topic: 'Database layer' });
    entries(stream, pending);
    expect(stream.atWork).toMatchObject([{ agent: 'architect', what: 'answering Engineer: Database layer' }]);
    const { record } = transition(pending, { type: 'answer', at: AT, by: 'architect', body: 'Two.' });
    for (const entry of record.thread.slice(1)) stream.tellEntry(record, entry);
    expect(stream.atWork).toEqual([]);
  });

  it('shows the end of what an agent says in whole characters', () => {
    const stream = new RunStream(LIVE);
    stream.tell(turnStarted);
    stream.tell({ name: 'turn-progress', payload: { ...implement, turn: 1, text: `${'\u{1f600}'.repeat(40)}!` } });
    expect(stream.atWork[0]?.what).not.toMatch(/\p{Cs}/u);
  });

  it('shows what was refused, what failed, what was skipped and what was sent back', () => {
    const refused = [{ code: 'SCOPE_VIOLATION', message: "Agent 'engineer' cannot clarify with 'reviewer'." }];
    const text = told(new RunStream(PLAIN), [
      { name: 'turn-failed', payload: { ...implement, turn: 1, error: 'exited with code 1', durationMs: 10 } },
      {
        name: 'turn-ended',
        payload: { ...turnEnded.payload, ...implement, turn: 2, artifacts: [], refused, durationMs: 1 },
      },
      { name: 'step-skipped', payload: { ...review, reason: 'label:ui is not there' } },
      { name: 'turn-started', payload: { ...review, turn: 1 } },
      {
        name: 'steps-reopened',
        payload: { ...run, steps: ['implement', 'review'], by: 'review', reason: 'No tests.' },
      },
    ]);
    expect(text).toContain('[Engineer] failed: exited with code 1');
    expect(text).toContain("[Engineer] is refused (SCOPE_VIOLATION): Agent 'engineer' cannot clarify with 'reviewer'.");
    expect(text).toMatch(/\[Reviewer\] .*Review Health endpoint .*skipped\n {2}label:ui is not there/);
    expect(text).toContain('[Reviewer] sends the work back to implement: No tests.');
  });

  it('shows an escalation as a block of its own with what to do [US-4.1/4]', () => {
    const answered = transition(aClarification(), { type: 'answer', at: AT, by: 'architect', body: 'Two.' }).record;
    const { record } = transition(answered, { type: 'escalate', at: AT, reason: 'they go in circles' });
    const block = entries(new RunStream(PLAIN), record).split('\n\n').at(-1) ?? '';
    expect(block).toMatch(/^\[ESCALATED\] /);
    for (const part of ['Engineer: ', 'Architect: Two.', 'Options:', 'a) ', 'Answer: agentx inbox answer oq-']) {
      expect(block).toContain(part);
    }
    const inPlace = entries(new RunStream(LIVE), record);
    expect(inPlace).toContain('Architect: Two.');
    expect(inPlace).not.toContain('Options:');
  });

  it('shows a question with how to answer it, unless it is asked in place', () => {
    const added: ToldEvent = {
      name: 'notification-added',
      payload: { projectId: 'shop', notification: aQuestion(), timestamp: 0 },
    };
    expect(new RunStream(PLAIN).tell(added)).toBe(
      [
        '[QUESTION] Coder asks you (oq-1a2b3c4d)',
        '  Which database?',
        '    a) PostgreSQL',
        '    b) SQLite',
        '  Answer: agentx inbox answer oq-1a2b3c4d',
        '  Nothing is decided without you. The run waits, and goes on with what is decided.',
      ].join('\n'),
    );
    expect(new RunStream(LIVE).tell(added)).toBeUndefined();
  });

  it('shows the answer to a part of a question instead of its options', () => {
    const options = [
      { id: 'a', label: 'PostgreSQL' },
      { id: 'b', label: 'SQLite' },
    ];
    const notification = aQuestion({
      questions: ['Which database?', 'Which cache?'].map((text, index) => ({ id: `q${index + 1}`, text, options })),
      responses: [{ questionId: 'q1', optionIds: ['b'], answeredBy: { principal: 'bob', channel: 'web' } }],
    });
    const added = { name: 'notification-added', payload: { projectId: 'shop', notification, timestamp: 0 } } as const;
    expect(new RunStream(PLAIN).tell(added)?.split('\n').slice(1, 6)).toEqual([
      '  Which database?',
      '    Answered by bob (web): SQLite',
      '  Which cache?',
      '    a) PostgreSQL',
      '    b) SQLite',
    ]);
  });

  it('says once who decided, and where', () => {
    const stream = new RunStream(LIVE);
    const answered = aQuestion({
      status: 'resolved',
      outcome: 'answered',
      responses: [{ questionId: 'q1', answer: 'SQLite', optionIds: ['b'] }],
      answeredBy: { principal: 'bob', channel: 'web' },
    });
    expect(stream.tellDecision(answered)).toBe('Coder asks: Which database?\n[bob, web] SQLite');
    expect(stream.tellDecision(answered)).toBeUndefined();
    const mine = { ...answered, id: 'oq-00000001', answeredBy: { principal: 'ada', channel: 'cli' as const } };
    expect(new RunStream(PLAIN).tellDecision(mine)).toBe('[You] SQLite');
  });

  it('shows text of agents as text', () => {
    const payload = { ...turnEnded.payload, ...implement, turn: 1, artifacts: [], refused: [], durationMs: 1 };
    const text = told(new RunStream(LIVE), [
      { name: 'turn-ended', payload: { ...payload, text: 'fine\u001b[2J\n[Architect] forged' } },
      stepEnded,
    ]);
    expect(text).toMatch(/\n {2}fine\n {2}\[Architect\] forged$/);
    expect(text).not.toContain('\u001b');
  });
});
