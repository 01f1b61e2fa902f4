import { describe, expect, it } from 'vitest';
import { AT } from '../../test/builders/clarification.js';
import { aHub, anAsk, aWorkflow, fixedClock, recordOf, statusOf, type Turn } from '../../test/builders/hub.js';
import type { Brief } from '../protocol/brief.js';
import { transition } from '../protocol/question-transition.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { ask, route } from './conversation.js';
import { escalate } from './escalate.js';
import { openFollowUp } from './follow-up.js';
import { resolve } from './resolve.js';

const further = (fields: object = {}) => ({
  clarify: [{ to: 'product-manager', topic: 'Load', question: 'How many users?', ...fields }],
});

/** The architect asks the product manager before it answers the engineer. */
const asksFirst = (brief: Brief) =>
  brief.clarifications.some(({ topic }) => topic === 'Load') ? 'SQLite, for a hundred users.' : further();

async function asking(architect: readonly Turn[], manager: Turn = 'A hundred.') {
  const hub = await aHub({ turns: { architect, 'product-manager': [manager] } });
  const result = await ask(hub, anAsk());
  return { hub, result, ledger: (await hub.store.ledgers.read(1)).clarifications };
}

describe('a target that needs to know more itself', () => {
  it('asks further upstream, and the first asker still gets its answer [X-2/3]', async () => {
    const { hub, result, ledger } = await asking([asksFirst]);
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite, for a hundred users.' });
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['architect', 'product-manager', 'architect']);
    expect(hub.briefs[2]?.clarifications).toMatchObject([{ topic: 'Load', status: 'answered', answer: 'A hundred.' }]);
    expect(ledger.map(({ from, to, status }) => `${from} ${to} ${status}`)).toEqual([
      'engineer architect answered',
      'architect product-manager resolved',
    ]);
    expect(await statusOf(hub, 'architect')).toMatchObject({ status: 'idle' });
  });

  it('is heard though it fills in every field: an empty answer is none', async () => {
    const { hub, result } = await asking([
      { ...further(), answer: '' },
      { answer: ' ', text: 'SQLite.', clarify: [] },
    ]);
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['architect', 'product-manager', 'architect']);
  });

  it('may ask by itself while it is at work, and what it heard is resolved with its answer', async () => {
    const hub = await aHub({
      turns: {
        architect: [
          async () => {
            const asked = { from: 'architect', to: 'product-manager', topic: 'Load', within: 'CLR-1-001' };
            return `SQLite, for ${(await ask(hub, anAsk(asked))).answer}`;
          },
        ],
        'product-manager': ['A hundred.'],
      },
    });
    expect((await ask(hub, anAsk())).answer).toBe('SQLite, for A hundred.');
    const { clarifications } = await hub.store.ledgers.read(1);
    expect(clarifications.map(({ status }) => status)).toEqual(['answered', 'resolved']);
  });

  it('is heard even if a human takes over what it asked at the moment it answers', async () => {
    const store = openInMemoryStore();
    let hub = await aHub({ store, turns: { architect: [further(), { answer: 'SQLite.' }] } });
    const read = async (issueNumber: number) => {
      const ledger = await store.ledgers.read(issueNumber);
      const isHeard = hub.briefs.filter(({ agent }) => agent === 'architect').length === 2;
      const inner = ledger.clarifications.find(({ id, status }) => id === 'CLR-1-002' && status === 'answered');
      if (isHeard && inner)
        await escalate({ ...hub, store }, { clarificationId: inner.id, reason: 'Mine.', by: 'human' });
      return ledger;
    };
    hub = { ...hub, store: { ...store, ledgers: { ...store.ledgers, read } } };
    expect(await ask(hub, anAsk())).toMatchObject({ status: 'answered', answer: 'SQLite.' });
  });

  it('may not ask who waits for its answer, even if neither blocks: they would never end', async () => {
    const steps = [
      { id: 'a', title: 'A', agent: 'architect', can_clarify: ['engineer'], clarify_blocking_allowed: false },
      { id: 'b', title: 'B', agent: 'engineer', needs: ['a'], can_clarify: ['architect'] },
    ];
    const asksBack = (brief: Brief) => (brief.refused.length > 0 ? 'SQLite.' : further({ to: 'engineer' }));
    const hub = await aHub({ workflow: aWorkflow(steps), turns: { architect: [asksBack] } });
    expect(await ask(hub, anAsk({ blocking: false }))).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['architect', 'architect']);
    expect(hub.briefs[1]?.refused).toMatchObject([{ message: expect.stringContaining('which waits for its answer') }]);
  });

  it('is told that it asked too much at once', async () => {
    const clarify = Array.from({ length: 21 }, () => further().clarify).flat();
    const { hub, ledger } = await asking([{ clarify }, 'SQLite.']);
    expect(ledger).toHaveLength(21);
    expect(hub.briefs.at(-1)?.refused).toMatchObject([{ message: expect.stringContaining('The first 20 were asked') }]);
  });

  it('is told what was refused, and answers without', async () => {
    const { hub, result, ledger } = await asking([further({ to: 'reviewer' }), 'SQLite.']);
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(hub.briefs[1]?.refused).toMatchObject([{ code: 'SCOPE_VIOLATION' }]);
    expect(ledger).toHaveLength(1);
  });

  it('does not go on asking for ever: a human decides', async () => {
    const { hub, result } = await asking([(brief) => further({ topic: `Load ${brief.clarifications.length}` })]);
    expect(result.status).toBe('escalated');
    expect(hub.briefs.filter(({ agent }) => agent === 'architect')).toHaveLength(8);
  });

  it('asks what it asks beside a text, which is no answer', async () => {
    const { result } = await asking([
      (brief) => (brief.clarifications.length === 0 ? { text: 'Let me see.', ...further() } : 'SQLite.'),
    ]);
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite.' });
  });

  it('does not have a text taken for its answer because it asks too often', async () => {
    const { hub, result } = await asking([
      (brief) => ({ text: 'Let me see.', ...further({ topic: `Load ${brief.clarifications.length}` }) }),
    ]);
    expect(result).toMatchObject({ status: 'escalated' });
    expect(JSON.stringify((await hub.store.questions.list({ status: 'open' })).items)).toContain('wants to ask again');
  });

  it('waits where a human has to decide the other question first, and goes on with the decision [US-2.3/10]', async () => {
    const { hub, result } = await asking([asksFirst], new Error('no network'));
    const [question] = (await hub.store.questions.list({ status: 'open' })).items;
    expect(question).toMatchObject({ kind: 'escalation', sourceId: 'CLR-1-002' });
    expect(result).toMatchObject({ status: 'pending', waitingOn: [question?.id] });
    expect(await route(hub, { clarificationId: 'CLR-1-001' })).toMatchObject({ waitingOn: [question?.id] });
    const askedOnce = hub.briefs.filter(({ agent }) => agent === 'architect');
    expect(askedOnce).toHaveLength(1);
    await resolve(hub, { clarificationId: 'CLR-1-002', body: 'A hundred.', by: 'human' });
    expect(await route(hub, { clarificationId: 'CLR-1-001' })).toMatchObject({ status: 'answered' });
    expect(hub.briefs.at(-1)?.clarifications).toMatchObject([
      { topic: 'Load', status: 'resolved', summary: expect.stringContaining('A hundred.') },
    ]);
  });

  it('goes on with a decision that nobody has carried to the record, for a process died meanwhile', async () => {
    const { hub } = await asking([asksFirst], new Error('no network'));
    const [question] = (await hub.store.questions.list({ status: 'open' })).items;
    const responses = [{ questionId: 'q1', answer: 'A hundred.' }];
    await hub.store.questions.update(question?.id ?? '', (current) => {
      const by = { principal: 'ada', channel: 'cli', authority: 'a user of this machine' } as const;
      return {
        next: transition(current, { type: 'answer', at: AT, revision: current.revision, responses, by }).question,
        result: undefined,
      };
    });
    expect(await route(hub, { clarificationId: 'CLR-1-001' })).toMatchObject({ status: 'answered' });
    expect((await hub.store.ledgers.read(1)).clarifications[1]).toMatchObject({ status: 'resolved' });
  });
});

describe('an answer beside a question to another agent', () => {
  const FAILS: Turn = () => {
    throw new Error('no model');
  };

  it('is given up for what the target says once it was answered', async () => {
    const { result } = await asking([{ answer: 'SQLite, I think.', ...further() }, { answer: 'PostgreSQL.' }]);
    expect(result).toMatchObject({ status: 'answered', answer: 'PostgreSQL.' });
  });

  it('stands if the target fails after that', async () => {
    const { result } = await asking([{ answer: 'SQLite.', ...further() }, FAILS, FAILS]);
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite.' });
  });

  it('stands at once if the question does not block it', async () => {
    const first = { answer: 'SQLite.', ...further({ blocking: false }) };
    const { hub, result } = await asking([first, { answer: 'PostgreSQL.' }]);
    expect(result).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['architect', 'product-manager']);
  });
});

it('what another process answers while it is left is resolved, and the target is heard', async () => {
  const store = openInMemoryStore();
  let innerId = '';
  const read = async (issueNumber: number) => {
    const ledger = await store.ledgers.read(issueNumber);
    const isLeft = ledger.clarifications.some(({ id, status }) => id === innerId && status === 'pending');
    if (isLeft && hub.briefs.length > 0)
      await answer({ ...hub, store }, { clarificationId: innerId, answer: 'A hundred.', by: 'product-manager' });
    return ledger;
  };
  const hub = await aHub({
    store: { ...store, ledgers: { ...store.ledgers, read } },
    turns: { architect: [{ answer: 'SQLite.' }] },
  });
  const { id } = await openAsk({ ...hub, store }, anAsk());
  const inner = anAsk({
    from: 'architect',
    to: 'product-manager',
    topic: 'Load',
    origin: `${id}/1/0/clarify/0`,
    within: id,
  });
  innerId = (await openAsk({ ...hub, store }, inner)).id;
  expect(await route(hub, { clarificationId: id })).toMatchObject({ answer: 'SQLite.' });
});

it.each<[string, readonly Turn[]]>([
  ['answers without what it had asked', [{ answer: 'SQLite.' }]],
  ['asks on and on beside its answer', [{ answer: 'SQLite.', ...further() }, further(), further(), further()]],
])('a target that was asked again after a kill, and %s, leaves nothing open', async (_, architect) => {
  const hub = await aHub({ turns: { architect, 'product-manager': ['A hundred.', 'A hundred.', 'A hundred.'] } });
  const { id } = await openAsk(hub, anAsk());
  const origin = `${id}/1/0/clarify/1`;
  const inner = anAsk({ from: 'architect', to: 'product-manager', topic: 'Load', origin, within: id });
  const { id: innerId } = await openAsk(hub, inner);
  expect(await route(hub, { clarificationId: id })).toMatchObject({ answer: 'SQLite.' });
  expect(await recordOf(hub, innerId)).toMatchObject({ status: 'abandoned' });
  expect((await statusOf(hub, 'product-manager'))?.status).not.toBe('clarifying');
});

it('a target does not wait for what it asked by itself in an earlier round', async () => {
  const clock = fixedClock();
  const hub = await aHub({
    clock,
    turns: { architect: [{ answer: 'SQLite.' }, 'With WAL.'], 'product-manager': [{ answer: 'A hundred.' }] },
  });
  const { clarificationId } = await ask(hub, anAsk());
  await openAsk(hub, {
    ...anAsk({ from: 'architect', to: 'product-manager', topic: 'Load' }),
    within: clarificationId,
  });
  clock.advance(1000);
  const { record } = await openFollowUp(hub, { clarificationId, question: 'In which mode?', by: 'engineer' });
  expect(await route(hub, { clarificationId, round: record.round })).toMatchObject({ answer: 'With WAL.' });
  expect(hub.briefs.map(({ agent }) => agent)).toEqual(['architect', 'architect']);
});
