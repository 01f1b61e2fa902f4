import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, recordOf, statusOf, type TestHub } from '../../test/builders/hub.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { completeInbox } from '../inbox/complete-inbox.js';
import { declineQuestion } from '../inbox/end-question.js';
import type { Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { openAsk } from './ask.js';
import { completeEffects } from './complete-effects.js';
import { ask, followUp } from './conversation.js';
import { escalate } from './escalate.js';
import { resolve } from './resolve.js';

const clarificationId = 'CLR-1-001';
const id = escalationQuestionId(clarificationId, 1);
const by = { principal: 'ada', channel: 'cli' as const };
const RESOLUTION = { clarificationId, body: 'Clear.', by: 'engineer' };

/** A store of a process that dies after so many writes: what it wrote is there, what it would write is not. */
function dyingStore(store: Store, writes: number): Store {
  let left = writes;
  const alive = async <T>(write: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) throw new AgentXError('STORE_ERROR', 'The process is dead.');
    return write();
  };
  const { ledgers, statuses, questions, assumptions, issues, observations } = store;
  return {
    ...store,
    ledgers: { ...ledgers, update: (issue, update) => alive(() => ledgers.update(issue, update)) },
    statuses: { ...statuses, update: (agents, update) => alive(() => statuses.update(agents, update)) },
    questions: {
      ...questions,
      create: (question) => alive(() => questions.create(question)),
      update: (questionId, update) => alive(() => questions.update(questionId, update)),
    },
    assumptions: { ...assumptions, update: (issue, update) => alive(() => assumptions.update(issue, update)) },
    issues: { ...issues, update: (number, update) => alive(() => issues.update(number, update)) },
    observations: {
      ...observations,
      store: (batch) => alive(() => observations.store(batch)),
      update: (issue, update) => alive(() => observations.update(issue, update)),
    },
  };
}

async function snapshot({ ledgers, statuses, questions, assumptions, issues, observations }: Store) {
  return {
    ledger: await ledgers.read(1),
    statuses: await statuses.read(),
    questions: (await questions.list()).items,
    assumptions: await assumptions.read(1),
    issue: await issues.read(1),
    memory: await observations.getByIssue(1),
  };
}

type Verb = (hub: TestHub) => Promise<unknown>;

const VERBS: readonly [string, { readonly before: readonly Verb[]; readonly verb: Verb }][] = [
  ['an ask', { before: [], verb: (hub) => openAsk(hub, anAsk()) }],
  [
    'an escalation',
    { before: [(hub) => ask(hub, anAsk())], verb: (hub) => escalate(hub, { clarificationId, reason: 'now' }) },
  ],
  [
    'a resolution',
    {
      before: [(hub) => ask(hub, anAsk())],
      verb: (hub) => resolve(hub, RESOLUTION),
    },
  ],
  [
    'a resolution by a human',
    { before: escalated(), verb: (hub) => resolve(hub, { clarificationId, body: 'So.', by: 'human' }) },
  ],
  ['an answer of a human', { before: escalated(), verb: (hub) => answerQuestion(hub, { id, optionIds: ['a'], by }) }],
  ['a declined question', { before: escalated(), verb: (hub) => declineQuestion(hub, { id, by }) }],
  [
    'a choice to go on with an assumption',
    { before: escalated(), verb: (hub) => answerQuestion(hub, { id, optionIds: ['c'], by }) },
  ],
  ['a choice to ask again', { before: unanswered(), verb: (hub) => answerQuestion(hub, { id, optionIds: ['a'], by }) }],
  ['an ask of a person', { before: [], verb: (hub) => ask(withPerson(hub), anAsk()) }],
  [
    'a follow-up to a person',
    {
      before: [(hub) => ask(hub, anAsk())],
      verb: (hub) => followUp(withPerson(hub), { clarificationId, question: 'Sure?', by: 'engineer' }),
    },
  ],
];

/** The architect is a person, whom only the inbox reaches. */
function withPerson(hub: TestHub): TestHub {
  const person = { isHuman: true, run: () => Promise.reject(new Error('nobody to start')) };
  return { ...hub, runnerFor: (agent) => (agent === 'architect' ? person : hub.runnerFor(agent)) };
}

function unanswered(): readonly Verb[] {
  return [(hub) => openAsk(hub, anAsk()), (hub) => escalate(hub, { clarificationId, reason: 'now' })];
}

function escalated(): readonly Verb[] {
  return [(hub) => ask(hub, anAsk()), (hub) => escalate(hub, { clarificationId, reason: 'now' })];
}

async function prepared(before: readonly Verb[]): Promise<TestHub> {
  const hub = await aHub({ remembers: true });
  await atWork(hub, 'engineer');
  for (const step of before) await step(hub);
  return hub;
}

/** As in every command that checks, and in the next one, which has no memory of what is done. */
async function sweep(hub: TestHub): Promise<void> {
  await completeInbox(hub);
  await completeEffects(hub);
  await completeInbox(hub);
}

describe('what a crash left undone', () => {
  it.each(VERBS)('is completed, wherever it struck %s', async (_, { before, verb }) => {
    const whole = await prepared(before);
    await verb(whole);
    await sweep(whole);
    const expected = await snapshot(whole.store);
    for (let writes = 1; writes <= 6; writes++) {
      const hub = await prepared(before);
      await verb({ ...hub, store: dyingStore(hub.store, writes) }).catch(() => undefined);
      await sweep(hub);
      expect(await snapshot(hub.store), `after ${writes} writes`).toEqual(expected);
    }
  });

  it('is completed once, by however many sweeps [US-2.3/15]', async () => {
    const hub = await prepared([(one) => ask(one, anAsk())]);
    await escalate({ ...hub, store: dyingStore(hub.store, 1) }, { clarificationId, reason: 'now' });
    await Promise.all([completeEffects(hub), completeEffects(hub)]);
    await completeEffects(hub);
    expect((await hub.store.questions.list()).items).toHaveLength(1);
    expect((await statusOf(hub, 'engineer')).status).toBe('blocked-clarification');
  });

  it('remembers a decision once, by however many sweeps', async () => {
    const hub = await prepared([(one) => ask(one, anAsk())]);
    await resolve({ ...hub, store: dyingStore(hub.store, 1) }, RESOLUTION);
    expect(await hub.store.observations.getByIssue(1)).toEqual([]);
    await Promise.all([completeEffects(hub), completeEffects(hub)]);
    await completeEffects(hub);
    expect(await hub.store.observations.getByIssue(1)).toMatchObject([{ source: { id: clarificationId } }]);
    expect(await recordOf(hub, clarificationId)).not.toHaveProperty('unsettled');
  });

  it('does not bring back a decision that was removed', async () => {
    const hub = await prepared([(one) => ask(one, anAsk())]);
    await resolve({ ...hub, store: dyingStore(hub.store, 2) }, RESOLUTION);
    const [kept] = await hub.store.observations.getByIssue(1);
    expect(await hub.store.observations.remove(kept?.id ?? '')).toBe(true);
    await completeEffects(hub);
    expect(await hub.store.observations.getByIssue(1)).toEqual([]);
    expect(await recordOf(hub, clarificationId)).not.toHaveProperty('unsettled');
  });

  it('tries again what could not be remembered, with a warning', async () => {
    const hub = await prepared([(one) => ask(one, anAsk())]);
    const { observations } = hub.store;
    const update = async () => Promise.reject(new AgentXError('LOCK_TIMEOUT', 'issue-1.json is locked.'));
    const locked = { ...hub, store: { ...hub.store, observations: { ...observations, update } } };
    expect(await resolve(locked, RESOLUTION)).toMatchObject({ status: 'resolved' });
    await completeEffects(locked);
    expect(hub.log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'Memory capture skipped: issue-1.json is locked.' },
      { message: 'Memory capture skipped: issue-1.json is locked.' },
    ]);
    await completeEffects(hub);
    expect(await observations.getByIssue(1)).toHaveLength(1);
  });

  it('remembers nothing more once the memory is switched off', async () => {
    const hub = await prepared([(one) => ask(one, anAsk())]);
    await resolve({ ...hub, store: dyingStore(hub.store, 1) }, RESOLUTION);
    await completeEffects({ ...hub, remembers: false });
    expect(await hub.store.observations.getByIssue(1)).toEqual([]);
    expect(await recordOf(hub, clarificationId)).not.toHaveProperty('unsettled');
  });

  it('records one assumption for a declined question, however often it is tried', async () => {
    const hub = await prepared(escalated());
    for (let writes = 1; writes <= 3; writes++) {
      await declineQuestion({ ...hub, store: dyingStore(hub.store, writes) }, { id, by }).catch(() => undefined);
    }
    await completeEffects(hub);
    expect((await hub.store.assumptions.read(1)).assumptions_made).toHaveLength(1);
    expect(await recordOf(hub, clarificationId)).toMatchObject({ status: 'resolved', outcome: 'declined' });
  });

  it('puts the answer of a human on the issue once, however often it is tried', async () => {
    const hub = await prepared(escalated());
    for (let writes = 1; writes <= 3; writes++) {
      const dying = { ...hub, store: dyingStore(hub.store, writes) };
      await answerQuestion(dying, { id, optionIds: ['a'], by }).catch(() => undefined);
      await sweep(hub);
    }
    expect((await hub.store.issues.read(1))?.comments).toMatchObject([{ author: 'ada', questionId: id }]);
  });

  it('is nothing where everything was done: then nothing is written', async () => {
    const hub = await prepared(escalated());
    await completeEffects({ ...hub, store: dyingStore(hub.store, 0) });
    expect(hub.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('is completed for the issues that are named', async () => {
    const hub = await prepared([]);
    const dying = () => ({ ...hub, store: dyingStore(hub.store, 1) });
    await openAsk(dying(), anAsk({ issueNumber: 1 }));
    await openAsk(dying(), anAsk({ issueNumber: 2 }));
    await completeEffects(hub, [2]);
    expect((await statusOf(hub, 'engineer', 1)).status).toBe('working');
    expect((await statusOf(hub, 'engineer', 2)).status).toBe('blocked-clarification');
  });

  it('is completed for the others when one ledger is damaged', async () => {
    const store = openInMemoryStore();
    const hub = await aHub({ store });
    await openAsk({ ...hub, store: dyingStore(store, 1) }, anAsk({ issueNumber: 1 }));
    await openAsk({ ...hub, store: dyingStore(store, 1) }, anAsk({ issueNumber: 2 }));
    const read: typeof store.ledgers.read = async (issueNumber) => {
      if (issueNumber === 1) throw new AgentXError('CORRUPT_FILE', 'issue-1.json does not parse.');
      return store.ledgers.read(issueNumber);
    };
    await completeEffects({ ...hub, store: { ...store, ledgers: { ...store.ledgers, read } } });
    expect((await statusOf(hub, 'engineer', 2)).status).toBe('blocked-clarification');
    expect(hub.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ issueNumber: 1 }) }),
    );
  });
});
