import { describe, expect, it } from 'vitest';
import { anInbox, type TestInbox } from '../../test/builders/inbox.js';
import { aQuestion } from '../../test/builders/question.js';
import { openAsk } from '../hub/ask.js';
import { completeEffects } from '../hub/complete-effects.js';
import { escalate } from '../hub/escalate.js';
import { resolve } from '../hub/resolve.js';
import type { Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import { answerQuestion } from './answer-question.js';
import { askHumans } from './ask.js';
import { completeInbox } from './complete-inbox.js';
import { leaveOneChoice, settle } from './settle.js';

const MINUTE = 60_000;
const by = { principal: 'ada', channel: 'cli' as const };
const WRITING = ['update', 'create', 'append'];

/** The store, and its calls that could write, by the names of the part and the method. */
function counting(store: Store): { readonly store: Store; readonly writes: string[] } {
  const writes: string[] = [];
  const counted = <T extends object>(part: T, path: string): T =>
    new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'object' && value !== null) return counted(value, String(name));
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]) => {
          if (WRITING.includes(String(name))) writes.push(`${path}.${String(name)}`);
          return Reflect.apply(value, target, args);
        };
      },
    });
  return { store: counted(store, ''), writes };
}

const open_questions = [
  { text: 'Which database?', options: ['PostgreSQL', 'SQLite'], fallback: { option: 'b', reasoning: 'smaller' } },
];
const ask = (inbox: TestInbox, issueNumber: number, status: 'done' | 'failed' = 'failed') =>
  askHumans(inbox, {
    origin: 'run-1-aa/code/1/question/0',
    issueNumber,
    agent: 'coder',
    reply: { status, open_questions },
  });

async function asked(issueNumber: number, status: 'done' | 'failed' = 'failed') {
  const inbox = await anInbox();
  const { question } = await ask(inbox, issueNumber, status);
  return { inbox, id: question?.id ?? '' };
}

/** The calls of an act, and those of a sweep after it. */
async function callsOf(inbox: TestInbox, act: (inbox: TestInbox) => Promise<unknown>) {
  const first = counting(inbox.store);
  await act({ ...inbox, store: first.store });
  const second = counting(inbox.store);
  const swept = { ...inbox, store: second.store };
  await completeInbox(swept);
  await completeEffects(swept);
  return { act: first.writes, sweep: second.writes };
}

describe('a question that ends', () => {
  it('is unsettled until its answer is remembered, and an answer that was removed does not come back', async () => {
    const { inbox: forgetful, id } = await asked(1);
    const inbox = { ...forgetful, remembers: true };
    const { observations, questions } = inbox.store;
    const update = async () => Promise.reject(new AgentXError('LOCK_TIMEOUT', 'issue-1.json is locked.'));
    const locked = { ...inbox, store: { ...inbox.store, observations: { ...observations, update } } };
    const { question } = await answerQuestion(locked, { id, optionIds: ['a'], by });
    expect(question).toMatchObject({ outcome: 'answered', unsettled: true });
    await Promise.all([completeInbox(inbox), completeInbox(inbox)]);
    const [kept, ...others] = await observations.getByIssue(1);
    expect([kept?.source?.id, ...others]).toEqual([id]);
    await observations.remove(kept?.id ?? '');
    await questions.update(id, (current) => ({ next: { ...current, unsettled: true }, result: undefined }));
    await completeInbox(inbox);
    expect(await observations.getByIssue(1)).toEqual([]);
    expect(await questions.read(id)).not.toHaveProperty('unsettled');
  });

  it('writes each thing that follows from an answer once, then that it is settled; a sweep writes nothing more', async () => {
    const { inbox, id } = await asked(1);
    const calls = await callsOf(inbox, (counted) => answerQuestion(counted, { id, optionIds: ['a'], by }));
    expect(calls).toEqual({
      act: ['questions.update', 'issues.update', 'issues.update', 'questions.update'],
      sweep: [],
    });
    expect(await inbox.store.questions.read(id)).not.toHaveProperty('unsettled');
  });

  it('is settled by the process that takes its fallback', async () => {
    const { inbox, id } = await asked(1);
    inbox.clock.advance(5 * MINUTE);
    const calls = await callsOf(inbox, completeInbox);
    expect(calls).toEqual({
      act: ['questions.update', 'assumptions.update', 'issues.update', 'questions.update'],
      sweep: [],
    });
    expect(await inbox.store.questions.read(id)).not.toHaveProperty('unsettled');
  });

  it('is settled once when the answer to an escalation resolves its clarification', async () => {
    const inbox = await anInbox();
    const request = { issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Session', question: 'Which?' };
    const { id: clarificationId } = await openAsk(inbox, request);
    await escalate(inbox, { clarificationId, reason: 'now' });
    const [question] = (await inbox.store.questions.list({ status: 'open' })).items;
    const calls = await callsOf(inbox, (counted) =>
      answerQuestion(counted, { id: question?.id ?? '', text: 'The first.', by }),
    );
    expect(calls.act.filter((call) => call === 'ledgers.update')).toHaveLength(1);
    expect(calls.act.filter((call) => call === 'questions.update')).toHaveLength(2);
    expect(calls.act.filter((call) => call === 'issues.update')).toHaveLength(1);
    expect(calls.sweep).toEqual([]);
  });

  it('is settled even if a repair has lost its clarification', async () => {
    const inbox = await anInbox();
    const escalation = { kind: 'escalation', source: 'clarification', sourceId: 'CLR-1-001' } as const;
    const { id } = await inbox.store.questions.create(aQuestion({ issueNumber: 1, ...escalation }));
    expect((await answerQuestion(inbox, { id, optionIds: ['a'], by })).question).toMatchObject({ outcome: 'answered' });
    expect(await inbox.store.questions.read(id)).not.toHaveProperty('unsettled');
  });

  it('is written once where nothing follows from it', async () => {
    const { inbox, id } = await asked(0, 'done');
    const calls = await callsOf(inbox, (counted) => answerQuestion(counted, { id, optionIds: ['a'], by }));
    expect(calls).toEqual({ act: ['questions.update'], sweep: [] });
  });

  it('is written once where its clarification was resolved first', async () => {
    const inbox = await anInbox();
    const request = { issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Session', question: 'Which?' };
    const { id: clarificationId } = await openAsk(inbox, request);
    await escalate(inbox, { clarificationId, reason: 'now' });
    const calls = await callsOf(inbox, (counted) =>
      resolve(counted, { clarificationId, body: 'The first.', by: 'human' }),
    );
    expect(calls.act.filter((call) => call === 'questions.update')).toHaveLength(1);
    expect(calls.sweep).toEqual([]);
  });

  it('says again what it led to when the same is said again, and writes nothing', async () => {
    const { inbox, id } = await asked(1);
    inbox.clock.advance(5 * MINUTE);
    await completeInbox(inbox);
    const first = await answerQuestion(inbox, { id, optionIds: ['a'], by });
    expect(first.choices).toHaveLength(1);
    const before = await inbox.store.questions.list();
    expect(await answerQuestion(inbox, { id, optionIds: ['a'], by })).toEqual(first);
    expect(await inbox.store.questions.list()).toEqual(before);
  });
});

describe('what is settled while something else happens', () => {
  it('keeps its mark if a late answer came meanwhile', async () => {
    const inbox = await anInbox();
    const ended = { status: 'resolved', outcome: 'fallback_applied', unsettled: true } as const;
    const question = aQuestion({ issueNumber: 1, ...ended, revision: 2 });
    await inbox.store.questions.create({ ...question, revision: 3 });
    await settle(inbox, question);
    expect(await inbox.store.questions.read(question.id)).toMatchObject({ unsettled: true });
  });

  it('leaves a task blocked that another program has blocked', async () => {
    const inbox = await anInbox();
    const blocked = { taskStatus: 'blocked', block_reason: 'Open Question' } as const;
    await inbox.store.issues.update(1, (issue) => ({ next: { ...issue, ...blocked }, result: undefined }));
    const question = aQuestion({ issueNumber: 1 });
    await inbox.store.questions.create(question);
    await answerQuestion(inbox, { id: question.id, optionIds: ['a'], by });
    expect(await inbox.store.issues.read(1)).toMatchObject(blocked);
  });

  it('leaves one choice about an assumption: that which was answered, or the newest', async () => {
    const inbox = await anInbox();
    const rework = { assumptionId: 'ASM-1-001', answer: 'PostgreSQL', artifacts: [], runs: [] };
    const choice = (id: string, minute: number, fields: Partial<Question> = {}) =>
      aQuestion({
        id,
        issueNumber: 1,
        kind: 'late_answer',
        createdAt: `2026-02-26T10:0${minute}:00.000Z`,
        rework,
        ...fields,
      });
    const first = choice('oq-1', 1);
    await inbox.store.questions.create(first);
    await inbox.store.questions.create(choice('oq-2', 2, { status: 'resolved', outcome: 'answered' }));
    await leaveOneChoice(inbox, 'ASM-1-001');
    expect(await inbox.store.questions.read('oq-1')).toMatchObject({ outcome: 'superseded' });

    // Another process was quicker than this one's listing.
    const items = [first, choice('oq-2', 2)];
    const questions = { ...inbox.store.questions, list: async () => ({ items, damaged: [], total: 2 }) };
    await leaveOneChoice({ ...inbox, store: { ...inbox.store, questions } }, 'ASM-1-001');
    expect(await inbox.store.questions.read('oq-2')).toMatchObject({ outcome: 'answered' });
  });
});
