import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, aWorkflowWith, recordOf, refused, statusOf, type Turn } from '../../test/builders/hub.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { AgentXError } from '../protocol/errors.js';
import { openFileStore } from '../storage/files/store.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { openAsk } from './ask.js';
import { ask } from './conversation.js';
import { resolve } from './resolve.js';

/** Longer than any promise that waits for nothing. */
const aWhile = () => new Promise((resolve) => setImmediate(resolve));

describe('asking', () => {
  it('comes back with the answer of the target, in the round of the question [US-2.2/1] [US-2.1/5] [US-2.1/13]', async () => {
    const hub = await aHub({ turns: { architect: ['PostgreSQL.'] } });
    const result = await ask(hub, anAsk());
    expect(result).toMatchObject({ clarificationId: 'CLR-1-001', issueNumber: 1, status: 'answered', round: 1 });
    expect(result.answer).toBe('PostgreSQL.');
    const { thread } = await recordOf(hub, 'CLR-1-001');
    expect(thread.map(({ round, from, type, body }) => [round, from, type, body])).toEqual([
      [1, 'engineer', 'question', 'SQLite or PostgreSQL?'],
      [1, 'architect', 'answer', 'PostgreSQL.'],
    ]);
  });

  it('has the request in the ledger as pending before the target starts', async () => {
    const seen: unknown[] = [];
    const architect: Turn = async () => {
      const { status, topic, blocking, thread } = await recordOf(hub, 'CLR-1-001');
      seen.push(
        status,
        topic,
        blocking,
        thread.map(({ body }) => body),
      );
      return 'PostgreSQL.';
    };
    const hub = await aHub({ turns: { architect: [architect] } });
    await ask(hub, anAsk());
    expect(seen).toEqual(['pending', 'Database adapter', true, ['SQLite or PostgreSQL?']]);
  });

  it('holds no lock while the target is at work [US-2.1/8]', async () => {
    const root = join(temporaryFolder(), '.agentx');
    const architect: Turn = async () => {
      const somebodyElse = openFileStore({ root, sync: false, lockWaitMs: 200 });
      await somebodyElse.ledgers.update(1, (ledger) => ({ next: { ...ledger, note: 'mine' }, result: undefined }));
      await somebodyElse.statuses.update(['engineer'], (file) => ({ next: { ...file }, result: undefined }));
      return 'PostgreSQL.';
    };
    const hub = await aHub({ store: openFileStore({ root, sync: false }), turns: { architect: [architect] } });
    expect((await ask(hub, anAsk())).status).toBe('answered');
    expect(await hub.store.ledgers.read(1)).toHaveProperty('note', 'mine');
  });

  it('blocks the requester and keeps the target clarifying meanwhile [US-2.1/9] [US-2.1/10] [US-3.1/9] [US-3.1/11]', async () => {
    const seen: unknown[] = [];
    const architect: Turn = async () => {
      await aWhile();
      seen.push(await statusOf(hub, 'engineer'), await statusOf(hub, 'architect'));
      return 'PostgreSQL.';
    };
    const hub = await aHub({ turns: { architect: [architect] } });
    await atWork(hub, 'engineer');
    await atWork(hub, 'architect');
    await ask(hub, anAsk());
    const id = 'CLR-1-001';
    expect(seen).toEqual([
      { status: 'blocked-clarification', clarificationId: id, waitingOn: 'architect', respondingTo: null },
      { status: 'clarifying', clarificationId: id, waitingOn: null, respondingTo: 'engineer' },
    ]);
  });

  it('returns both to their work with the answer [US-3.1/10] [US-3.1/12]', async () => {
    const hub = await aHub();
    await atWork(hub, 'engineer');
    await atWork(hub, 'architect');
    await ask(hub, anAsk());
    expect((await statusOf(hub, 'engineer')).status).toBe('working');
    expect((await statusOf(hub, 'architect')).status).toBe('working');
  });

  it('leaves the requester at work when it does not block', async () => {
    const seen: string[] = [];
    const architect: Turn = async () => {
      await aWhile();
      seen.push((await statusOf(hub, 'engineer')).status, (await statusOf(hub, 'architect')).status);
      return 'Later.';
    };
    const hub = await aHub({ turns: { architect: [architect] } });
    await atWork(hub, 'engineer');
    expect(await ask(hub, anAsk({ blocking: false }))).toMatchObject({ status: 'answered', answer: 'Later.' });
    expect(seen).toEqual(['working', 'clarifying']);
  });

  it('tells the bus what happens, in order', async () => {
    const hub = await aHub({ turns: { architect: [() => aWhile().then(() => 'PostgreSQL.')] } });
    await ask(hub, anAsk());
    expect(hub.bus.names()).toEqual([
      'clarification-requested',
      'agent-status-changed',
      'agent-status-changed',
      'clarification-answered',
      'agent-status-changed',
      'agent-status-changed',
    ]);
    expect(hub.bus.events[0]?.payload).toMatchObject({ fromAgent: 'engineer', toAgent: 'architect', round: 1 });
  });

  it('shows who waits and who answers before the target is started, however quick it is', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    const told = hub.bus.events.flatMap(({ name, payload }) =>
      name === 'agent-status-changed' ? [`${payload.agent} ${payload.status}`] : [name],
    );
    expect(told).toEqual([
      'clarification-requested',
      'engineer blocked-clarification',
      'architect clarifying',
      'clarification-answered',
      'engineer idle',
      'architect idle',
    ]);
  });

  it('shows who waits where the target could not even be asked', async () => {
    const hub = await aHub();
    const refusal = new AgentXError('UNAUTHORIZED', 'The program is not approved.');
    const refusing = { ...hub, runnerFor: () => ({ run: () => Promise.reject(refusal) }) };
    await expect(ask(refusing, anAsk())).rejects.toBe(refusal);
    expect((await statusOf(hub, 'engineer')).status).toBe('blocked-clarification');
  });

  it('shows who waits while a target that failed at once is given time', async () => {
    const hub = await aHub({ turns: { architect: [{ status: 'failed' }, 'PostgreSQL.'] } });
    const seen: string[] = [];
    const sleep = async () => void seen.push((await statusOf(hub, 'architect')).status);
    await ask({ ...hub, clock: { ...hub.clock, sleep } }, anAsk());
    expect(seen).toEqual(['clarifying']);
    expect((await statusOf(hub, 'architect')).status).toBe('idle');
  });

  it('goes on while the statuses are damaged: the record is written', async () => {
    const store = openInMemoryStore();
    const damaged = () => Promise.reject(new AgentXError('CORRUPT_FILE', 'agent-status.json is damaged.'));
    const hub = await aHub({ store: { ...store, statuses: { read: damaged, update: damaged } } });
    expect(await ask(hub, anAsk())).toMatchObject({ clarificationId: 'CLR-1-001', status: 'answered' });
  });

  it('starts the target once and nobody else [US-2.2/23]', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['architect']);
  });

  it('knows five rounds when blocking, six when not [US-2.3/1] [US-2.3/2] [US-6.1/7]', async () => {
    const hub = await aHub();
    expect((await ask(hub, anAsk())).record.maxRounds).toBe(5);
    expect((await ask(hub, anAsk({ blocking: false }))).record.maxRounds).toBe(6);
  });

  it('takes rounds and SLA from the step [US-2.3/3] [US-5.1/1]', async () => {
    const workflow = aWorkflowWith('implement', { clarify_max_rounds: 2, clarify_sla_minutes: 10 });
    const hub = await aHub({ workflow });
    const blocking = await ask(hub, anAsk());
    const other = await ask(hub, anAsk({ blocking: false }));
    expect([blocking.record.maxRounds, other.record.maxRounds]).toEqual([2, 2]);
    expect(blocking.record.staleAfter).toBe('2026-02-26T10:10:00.000Z');
  });

  it('resolves aliases', async () => {
    const hub = await aHub();
    expect((await ask(hub, anAsk({ to: 'pm' }))).record.to).toBe('product-manager');
  });

  it('gives what belongs to no issue to issue 0', async () => {
    const hub = await aHub();
    expect((await ask(hub, anAsk({ issueNumber: 0 }))).clarificationId).toBe('CLR-0-001');
  });

  it('can write the record and leave the routing for later', async () => {
    const hub = await aHub();
    expect((await openAsk(hub, anAsk({ blocking: false }))).status).toBe('pending');
    expect(hub.briefs).toEqual([]);
  });

  it('passes through pending, answered and resolved [US-2.2/4]', async () => {
    const hub = await aHub();
    const { clarificationId } = await ask(hub, anAsk());
    await resolve(hub, { clarificationId, by: 'engineer', body: 'Clear.' });
    const statuses = hub.bus.events.flatMap(({ name, payload }) =>
      name.startsWith('clarification-') && 'clarificationId' in payload ? [payload.status] : [],
    );
    expect(statuses).toEqual(['pending', 'answered', 'resolved']);
  });
});

describe('refused asks', () => {
  it.each([
    [
      'an unknown requester',
      anAsk({ from: 'enginer' }),
      'INVALID_INPUT',
      /'enginer'.*Did you mean 'engineer'\?.*product-manager, ux/,
    ],
    [
      'an unknown target',
      anAsk({ to: 'nobody-at-all' }),
      'INVALID_INPUT',
      /There is no agent 'nobody-at-all'\. Allowed:/,
    ],
    ['a human as the requester', anAsk({ from: 'human' }), 'INVALID_INPUT', /There is no agent 'human'\./],
    ['the hub as the target', anAsk({ to: 'agent-x' }), 'INVALID_INPUT', /There is no agent 'agent-x'\./],
    ['an issue that does not exist', anAsk({ issueNumber: 77 }), 'NOT_FOUND', /#77/],
    ['an empty topic', anAsk({ topic: ' ' }), 'INVALID_INPUT', /topic is empty/],
    ['a long topic', anAsk({ topic: 'x'.repeat(201) }), 'INVALID_INPUT', /201 characters/],
    ['an empty question', anAsk({ question: '' }), 'INVALID_INPUT', /question is empty/],
    ['a long question', anAsk({ question: 'x'.repeat(2001) }), 'INVALID_INPUT', /2001 characters/],
    ['a fractional issue', anAsk({ issueNumber: 1.5 }), 'INVALID_INPUT', /issueNumber/],
    ['a target out of scope', anAsk({ to: 'reviewer' }), 'SCOPE_VIOLATION', /cannot clarify/],
    ['an agent that asks itself', anAsk({ from: 'architect', to: 'architect' }), 'SCOPE_VIOLATION', /cannot clarify/],
  ])('writes nothing and starts nobody for %s [CL-2/1] [CL-2/2] [US-2.1/4]', async (_, request, code, message) => {
    const hub = await aHub();
    const error = await refused(ask(hub, request));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(await hub.store.ledgers.read(1)).toEqual({ issueNumber: 1, clarifications: [] });
    expect(await hub.store.statuses.read()).toEqual({});
    expect([hub.briefs, hub.bus.events]).toEqual([[], []]);
  });

  it('takes a topic of up to 200 and a question of up to 2000 characters [CL-2/3] [CL-2/4]', async () => {
    const hub = await aHub();
    const longest = await ask(hub, anAsk({ topic: 't'.repeat(200), question: 'q'.repeat(2000) }));
    expect(longest.status).toBe('answered');
    for (const fields of [
      { topic: '' },
      { topic: 't'.repeat(201) },
      { question: '' },
      { question: 'q'.repeat(2001) },
    ]) {
      expect((await refused(ask(hub, anAsk(fields)))).code).toBe('INVALID_INPUT');
    }
  });

  it('takes true and false for blocking and nothing else [CL-2/5]', async () => {
    const hub = await aHub();
    const request = JSON.parse(JSON.stringify({ ...anAsk(), blocking: 'yes' }));
    expect((await refused(ask(hub, request))).message).toMatch(/blocking must be a boolean/);
  });

  it('is told at once that nobody can start the target', async () => {
    const hub = await aHub({ agents: ['engineer', 'architect'] });
    const runnerFor = () => {
      throw new AgentXError('UNAUTHORIZED', 'Not trusted.');
    };
    expect((await refused(ask({ ...hub, runnerFor }, anAsk()))).code).toBe('UNAUTHORIZED');
    expect((await hub.store.ledgers.read(1)).clarifications).toEqual([]);
  });

  it('is logged as a warning', async () => {
    const hub = await aHub();
    await refused(ask(hub, anAsk({ to: 'reviewer' })));
    expect(hub.log.lines).toMatchObject([
      {
        level: 'warn',
        fields: { code: 'SCOPE_VIOLATION', issueNumber: 1, fromAgent: 'engineer', toAgent: 'reviewer' },
      },
    ]);
  });

  it('reports a lock that is not to be had and leaves nothing half done [US-2.1/12]', async () => {
    const store = openInMemoryStore();
    const update = async () => {
      throw new AgentXError('LOCK_TIMEOUT', 'issue-1.json is locked.');
    };
    const hub = await aHub({ store: { ...store, ledgers: { ...store.ledgers, update } } });
    expect((await refused(ask(hub, anAsk()))).code).toBe('LOCK_TIMEOUT');
    expect(hub.log.lines).toMatchObject([{ level: 'warn', fields: { code: 'LOCK_TIMEOUT' } }]);
    expect([await hub.store.statuses.read(), hub.briefs, hub.bus.events]).toEqual([{}, [], []]);
  });
});
