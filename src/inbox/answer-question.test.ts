import { describe, expect, it } from 'vitest';
import {
  aHub,
  anAsk,
  atWork,
  recordOf,
  refused,
  statusOf,
  type TestHub,
  type TestHubOptions,
} from '../../test/builders/hub.js';
import { aQuestion } from '../../test/builders/question.js';
import { requireQuestion } from '../hub/change-question.js';
import { ask } from '../hub/conversation.js';
import { escalate } from '../hub/escalate.js';
import { resolve } from '../hub/resolve.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { answerQuestion } from './answer-question.js';
import { completeInbox } from './complete-inbox.js';
import { declineQuestion } from './end-question.js';

const clarificationId = 'CLR-1-001';
const id = escalationQuestionId(clarificationId, 1);
const by = { principal: 'ada', channel: 'cli' as const };

async function anEscalation(options: TestHubOptions = {}): Promise<TestHub> {
  const hub = await aHub({ turns: { architect: ['PostgreSQL.'] }, ...options });
  await atWork(hub, 'engineer');
  await ask(hub, anAsk());
  await escalate(hub, { clarificationId, reason: 'they go in circles' });
  return hub;
}

describe('the inbox', () => {
  it('lists what waits for a human and shows each', async () => {
    const hub = await anEscalation();
    expect((await hub.store.questions.list({ status: 'open' })).items.map((question) => question.id)).toEqual([id]);
    expect(await requireQuestion(hub, id)).toMatchObject({ kind: 'escalation', sourceId: clarificationId });
    await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect((await hub.store.questions.list({ status: 'open' })).items).toEqual([]);
  });

  it('knows no other ids', async () => {
    const hub = await anEscalation();
    expect((await refused(requireQuestion(hub, 'oq-nowhere'))).code).toBe('NOT_FOUND');
    expect((await refused(answerQuestion(hub, { id: 'oq-nowhere', text: 'Yes.', by }))).code).toBe('NOT_FOUND');
    expect((await refused(requireQuestion(hub, '../etc'))).code).toBe('INVALID_INPUT');
  });
});

describe('a human who resolves the clarification while another answers its question', () => {
  const resolving = (hub: TestHub) => resolve(hub, { clarificationId, body: 'SQLite it is.', by: 'human' });
  const answering = (hub: TestHub) => answerQuestion(hub, { id, optionIds: ['a'], by });

  it('decides alone if they come first: the other is told', async () => {
    const hub = await anEscalation();
    const { ledgers } = hub.store;
    let answered: Promise<AgentXError> | undefined;
    const update: typeof ledgers.update = async (issueNumber, change) => {
      const result = await ledgers.update(issueNumber, change);
      answered ??= refused(answering(hub));
      return result;
    };
    await resolving({ ...hub, store: { ...hub.store, ledgers: { ...ledgers, update } } });
    expect(await answered).toMatchObject({ code: 'CONFLICT' });
    expect((await recordOf(hub, clarificationId))?.thread.at(-1)).toMatchObject({ body: 'SQLite it is.' });
    expect(await requireQuestion(hub, id)).toMatchObject({ outcome: 'superseded', responses: [] });
  });

  it('gets the decision of the other if that comes first', async () => {
    const hub = await anEscalation();
    const [answered, resolved] = await Promise.all([answering(hub), resolving(hub)]);
    const decision = { type: 'resolution', body: 'Follow architect: PostgreSQL.', principal: 'ada' };
    expect(answered.record?.thread.at(-1)).toMatchObject(decision);
    expect(resolved.record.thread.at(-1)).toMatchObject(decision);
    expect(await requireQuestion(hub, id)).toMatchObject({ outcome: 'answered', answeredBy: { principal: 'ada' } });
  });

  it('gets the decision of a process that died before it had written it into the clarification', async () => {
    const hub = await anEscalation();
    const update = () => Promise.reject(new AgentXError('LOCK_TIMEOUT', 'The ledger is locked.'));
    const dying = { ...hub, store: { ...hub.store, ledgers: { ...hub.store.ledgers, update } } };
    await refused(answerQuestion(dying, { id, optionIds: ['a'], by }));
    const { record } = await resolving(hub);
    expect(record.thread.at(-1)).toMatchObject({ body: 'Follow architect: PostgreSQL.', principal: 'ada' });
  });

  it('has decided though the process died before it ended the question: the answer to it is refused', async () => {
    const hub = await anEscalation();
    const update = () => Promise.reject(new AgentXError('LOCK_TIMEOUT', 'The question is locked.'));
    await resolving({ ...hub, store: { ...hub.store, questions: { ...hub.store.questions, update } } });
    expect(await requireQuestion(hub, id)).toMatchObject({ status: 'open' });
    expect((await refused(answering(hub))).code).toBe('CONFLICT');
    expect(await requireQuestion(hub, id)).toMatchObject({ outcome: 'superseded' });
  });
});

describe('the same answer again', () => {
  it('is no error and changes nothing', async () => {
    const hub = await anEscalation();
    const first = await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect(await answerQuestion(hub, { id, optionIds: ['a', 'a'], by })).toEqual(first);
    expect((await hub.store.issues.read(1))?.comments).toHaveLength(1);
  });

  it.each([
    ['says something else', { optionIds: ['b'], by }],
    ['says more', { optionIds: ['a'], text: 'Until March.', by }],
    ['comes from another person', { optionIds: ['a'], by: { ...by, principal: 'grace' } }],
    ['names the revision that it saw', { optionIds: ['a'], by, revision: 1 }],
    ['says nothing', { responses: [], by }],
  ])('is another one where it %s', async (_, request) => {
    const hub = await anEscalation();
    await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect((await refused(answerQuestion(hub, { id, ...request }))).code).toBe('CONFLICT');
  });

  it('to one part of several, or after the fallback, is no error either', async () => {
    const hub = await aHub();
    const parts = ['q1', 'q2'].map((part) => ({ id: part, text: 'Which region?' }));
    await hub.store.questions.create(aQuestion({ id: 'oq-1', issueNumber: 1, questions: parts }));
    const one = () => answerQuestion(hub, { id: 'oq-1', questionId: 'q1', text: 'EU', by });
    expect((await one()).question).toMatchObject({ status: 'open', revision: 2 });
    expect((await one()).question).toMatchObject({ status: 'open', revision: 2 });
    const last = () => answerQuestion(hub, { id: 'oq-1', text: 'US', by });
    expect((await last()).question).toMatchObject({ status: 'resolved', revision: 3 });
    expect((await last()).question).toMatchObject({ status: 'resolved' });

    const late = aQuestion({ id: 'oq-2', issueNumber: 1, status: 'resolved', outcome: 'fallback_applied' });
    await hub.store.questions.create(late);
    const answerLate = () => answerQuestion(hub, { id: 'oq-2', text: 'Neither.', by });
    const { question } = await answerLate();
    expect(question.lateResponses).toHaveLength(1);
    expect((await answerLate()).question.lateResponses).toEqual(question.lateResponses);
  });

  it('after the fallback names its part where there are several: another part may get the same answer', async () => {
    const hub = await aHub();
    const parts = ['q1', 'q2'].map((part) => ({ id: part, text: 'Which region?' }));
    const responses = parts.map(({ id: questionId }) => ({ questionId, answer: 'US' }));
    const ended = { status: 'resolved', outcome: 'fallback_applied', responses } as const;
    await hub.store.questions.create(aQuestion({ id: 'oq-1', issueNumber: 1, questions: parts, ...ended }));
    expect((await refused(answerQuestion(hub, { id: 'oq-1', text: 'EU', by }))).code).toBe('INVALID_INPUT');
    await answerQuestion(hub, { id: 'oq-1', questionId: 'q1', text: 'EU', by });
    const { question } = await answerQuestion(hub, { id: 'oq-1', text: 'EU', by });
    expect(question.lateResponses).toMatchObject([
      { responses: [{ questionId: 'q1' }] },
      { responses: [{ questionId: 'q2' }] },
    ]);
    expect((await answerQuestion(hub, { id: 'oq-1', text: 'EU', by })).question.revision).toBe(question.revision);
  });

  it('to a question that was declined since is a conflict', async () => {
    const hub = await aHub();
    const parts = ['q1', 'q2'].map((part) => ({ id: part, text: 'Which region?' }));
    await hub.store.questions.create(aQuestion({ id: 'oq-1', issueNumber: 1, questions: parts }));
    const one = () => answerQuestion(hub, { id: 'oq-1', questionId: 'q1', text: 'EU', by });
    await one();
    await declineQuestion(hub, { id: 'oq-1', by });
    expect((await refused(one())).code).toBe('CONFLICT');
  });
});

describe('the answer to an escalation', () => {
  it('resolves the record with the chosen option and lets the requester go on [US-2.3/14] [US-2.2/14]', async () => {
    const hub = await anEscalation();
    const { question, record } = await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect(question).toMatchObject({ status: 'resolved', outcome: 'answered' });
    expect(record).toMatchObject({ status: 'resolved', outcome: 'answered', resolvedAt: hub.clock.now() });
    expect(record?.thread.at(-1)).toMatchObject({
      type: 'resolution',
      from: 'human',
      body: 'Follow architect: PostgreSQL.',
    });
    expect((await statusOf(hub, 'engineer')).status).toBe('working');
  });

  it('may be text, or both', async () => {
    const free = await anEscalation();
    const text = await answerQuestion(free, { id, text: 'Neither: MariaDB.', by });
    expect(text.record?.thread.at(-1)?.body).toBe('Neither: MariaDB.');
    const hub = await anEscalation();
    const both = await answerQuestion(hub, { id, optionIds: ['b'], text: 'But only in tests.', by });
    expect(both.record?.thread.at(-1)?.body).toBe('Follow engineer: SQLite or PostgreSQL?\nBut only in tests.');
  });

  it('keeps who answered, how, and what they saw', async () => {
    const hub = await anEscalation();
    const { question } = await answerQuestion(hub, { id, optionIds: ['a'], by, revision: 1 });
    expect(question.answeredBy).toEqual({ principal: 'ada', channel: 'cli', revision: 1 });
    expect(question.responses).toEqual([
      { questionId: 'q1', optionIds: ['a'], answer: 'Follow architect: PostgreSQL.' },
    ]);
  });

  it('tells the bus', async () => {
    const hub = await anEscalation();
    const before = hub.bus.events.length;
    await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect(hub.bus.names().slice(before)).toEqual([
      'notification-resolved',
      'clarification-resolved',
      'agent-status-changed',
    ]);
    expect(hub.bus.events[before]?.payload).toMatchObject({
      notificationId: id,
      sourceId: clarificationId,
      outcome: 'answered',
    });
  });

  it('joins the conversation of the issue, with the name of the person who gave it', async () => {
    const hub = await anEscalation();
    await answerQuestion(hub, { id, optionIds: ['b'], text: 'But only in tests.', by });
    const body = 'Database adapter: Follow engineer: SQLite or PostgreSQL?\nBut only in tests.';
    expect(await hub.store.issues.read(1)).toMatchObject({
      comments: [{ author: 'ada', body, created: hub.clock.now(), questionId: id }],
      updated: hub.clock.now(),
    });
  });

  it('stands where there is no issue to join, or none that can be written; the next sweep has it join', async () => {
    const hub = await anEscalation();
    const issues: typeof hub.store.issues = {
      ...hub.store.issues,
      update: () => Promise.reject(new AgentXError('CORRUPT_FILE', '1.json does not parse.')),
    };
    const ports = { ...hub, store: { ...hub.store, issues } };
    expect((await answerQuestion(ports, { id, optionIds: ['a'], by })).record?.status).toBe('resolved');
    expect(hub.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ questionId: id }) }),
    );
    await completeInbox(hub);
    expect((await hub.store.issues.read(1))?.comments).toMatchObject([{ author: 'ada', questionId: id }]);
    const nowhere = aQuestion({ issueNumber: 0 });
    await hub.store.questions.create(nowhere);
    expect((await answerQuestion(hub, { id: nowhere.id, text: 'Yes.', by })).question.outcome).toBe('answered');
  });

  it('has one winner; the other is shown what was decided', async () => {
    const hub = await anEscalation();
    const outcomes = await Promise.allSettled([
      answerQuestion(hub, { id, optionIds: ['a'], by, revision: 1 }),
      answerQuestion(hub, { id, optionIds: ['b'], by: { ...by, principal: 'bob' }, revision: 1 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'CONFLICT', details: { question: { outcome: 'answered' } } } });
    expect((await recordOf(hub, clarificationId)).thread.filter(({ type }) => type === 'resolution')).toHaveLength(1);
  });

  it('to a revision that is not there any more is a conflict', async () => {
    const hub = await anEscalation();
    expect((await refused(answerQuestion(hub, { id, optionIds: ['a'], by, revision: 7 }))).code).toBe('CONFLICT');
    expect((await recordOf(hub, clarificationId)).status).toBe('escalated');
  });

  it('fits into the record however long the positions are', async () => {
    const hub = await anEscalation({ turns: { architect: ['x'.repeat(2000)] } });
    const { record } = await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect(record?.status).toBe('resolved');
    expect(record?.thread.at(-1)?.body).toMatch(/^Follow architect: x+\.\.\.$/);
  });

  it.each([
    ['nothing', {}],
    ['an unknown option', { optionIds: ['z'] }],
    ['an empty text', { text: ' ' }],
  ])('that says %s is refused and changes nothing', async (_, text) => {
    const hub = await anEscalation();
    expect((await refused(answerQuestion(hub, { id, by, ...text }))).code).toBe('INVALID_INPUT');
    expect(await requireQuestion(hub, id)).toMatchObject({ status: 'open', revision: 1 });
  });
});

describe('a question of several parts', () => {
  const parts = aQuestion({
    issueNumber: 1,
    questions: [
      { id: 'q1', text: 'Which database?' },
      { id: 'q2', text: 'Which region?' },
    ],
  });

  it('keeps the answer of another person to a part, unless the answerer has seen it', async () => {
    const hub = await aHub();
    await hub.store.questions.create(parts);
    const answered = { id: parts.id, questionId: 'q1' };
    await answerQuestion(hub, { ...answered, text: 'PostgreSQL', by });
    const bob = { ...by, principal: 'bob' };
    const error = await refused(answerQuestion(hub, { ...answered, text: 'SQLite', by: bob }));
    expect(error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('ada gave: PostgreSQL') });
    await answerQuestion(hub, { ...answered, text: 'SQLite', by });
    const { revision } = await requireQuestion(hub, parts.id);
    const { question } = await answerQuestion(hub, { ...answered, text: 'DuckDB', by: bob, revision });
    expect(question.responses).toMatchObject([{ questionId: 'q1', answer: 'DuckDB' }]);
  });

  it('takes what two people say to two parts at the same moment, each of whom saw none of it [X-8/1]', async () => {
    const hub = await aHub();
    await hub.store.questions.create(parts);
    const bob = { ...by, principal: 'bob' };
    const part = (questionId: string, answer: string) => ({ id: parts.id, responses: [{ questionId, answer }] });
    await answerQuestion(hub, { ...part('q1', 'PostgreSQL'), by, revision: 1 });
    const error = await refused(answerQuestion(hub, { ...part('q1', 'SQLite'), by: bob, revision: 1 }));
    expect(error.message).toContain('is at revision 2, not 1');
    const early = await refused(answerQuestion(hub, { ...part('q2', 'Zurich'), by: bob, revision: 3 }));
    expect(early.code).toBe('CONFLICT');
    const declined = await refused(declineQuestion(hub, { id: parts.id, by: bob, revision: 1 }));
    expect(declined.code).toBe('CONFLICT');
    const { question } = await answerQuestion(hub, { ...part('q2', 'Zurich'), by: bob, revision: 1 });
    expect(question).toMatchObject({
      outcome: 'answered',
      answeredBy: { principal: 'bob', revision: 1 },
      responses: [{ answer: 'PostgreSQL', answeredBy: { principal: 'ada' } }, { answer: 'Zurich' }],
    });
  });

  it('is answered part by part, and wants to know which', async () => {
    const hub = await aHub();
    await hub.store.questions.create(parts);
    const error = await refused(answerQuestion(hub, { id: parts.id, text: 'PostgreSQL', by }));
    expect(error.message).toMatch(/has 2 parts; say which one is answered. Allowed: q1, q2/);
    const first = await answerQuestion(hub, { id: parts.id, questionId: 'q1', text: 'PostgreSQL', by });
    expect(first.question.status).toBe('open');
    const last = await answerQuestion(hub, { id: parts.id, text: 'Frankfurt', by });
    expect(last.question).toMatchObject({ status: 'resolved', outcome: 'answered' });
    expect(last.record).toBeUndefined();
    const body = 'Which database? PostgreSQL\n\nWhich region? Frankfurt';
    expect((await hub.store.issues.read(1))?.comments).toMatchObject([{ author: 'ada', body, questionId: parts.id }]);
  });

  it('is answered at once', async () => {
    const hub = await aHub();
    await hub.store.questions.create(parts);
    const responses = [
      { questionId: 'q1', answer: 'PostgreSQL' },
      { questionId: 'q2', answer: 'Frankfurt' },
    ];
    expect((await answerQuestion(hub, { id: parts.id, responses, by })).question.responses).toEqual(responses);
  });
});
