import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { aHubWith, type FilledHub } from '../../test/builders/ports.js';
import { aQuestion } from '../../test/builders/question.js';
import { aRun } from '../../test/builders/run.js';
import { countedFileSystem } from '../../test/support/counted-file-system.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { answer } from '../hub/answer.js';
import { applyStatusEvent } from '../protocol/agent-status.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { openFileStore } from '../storage/files/store.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { autoRetry, escalateExpired } from './retry.js';
import { runCheck, runCheckIfNeeded } from './sweep.js';

const asked = (fields: Partial<ClarificationRecord> = {}) =>
  aClarification({ id: 'CLR-1-001', slaMinutes: 30, retries: 0, ...fields });

const events = (hub: FilledHub) => hub.bus.names().filter((name) => name.startsWith('clarification-'));

const idsOf = (found: readonly { readonly record: ClarificationRecord }[]) => found.map(({ record }) => record.id);

async function afterMinutes(minutes: number, ...args: Parameters<typeof aHubWith>): Promise<FilledHub> {
  const hub = await aHubWith(...args);
  await runCheck(hub);
  hub.advance(minutes);
  return hub;
}

describe('a check of a command', () => {
  it('opens what acting takes where there is something to do, and says what then waits', async () => {
    const hub = await afterMinutes(31, [asked(), asked({ id: 'CLR-2-001', status: 'answered' })]);
    const { stale, active } = await runCheckIfNeeded(hub, async () => hub);
    expect(idsOf(stale)).toEqual(['CLR-1-001']);
    expect(active).toMatchObject([{ record: { status: 'answered', retries: 1 } }, { issueNumber: 2 }]);
  });

  it('says what it could not read, even if there is nothing to do', async () => {
    const hub = await afterMinutes(1, [asked()]);
    const error = new AgentXError('CORRUPT_FILE', 'runs/issue-1.json is damaged.');
    const store = { ...hub.store, runs: { ...hub.store.runs, read: () => Promise.reject(error) } };
    expect((await runCheckIfNeeded({ ...hub, store }, async () => ({ ...hub, store }))).warnings).toEqual([error]);
  });

  it('makes up for an escalation, a question and a status that a crash left behind', async () => {
    for (const record of [asked({ status: 'escalated' }), asked()]) {
      const hub = await aHubWith([record]);
      const { active } = await runCheckIfNeeded(hub, async () => hub);
      expect(active).toHaveLength(1);
      expect(await hub.store.statuses.read()).toMatchObject({ engineer: { status: 'blocked-clarification' } });
      const { items } = await hub.store.questions.list({ status: 'open' });
      expect(items).toHaveLength(record.status === 'escalated' ? 1 : 0);
    }
  });
});

describe('a check that finds nothing', () => {
  it('writes nothing and starts nobody [US-5.4/10]', async () => {
    const hub = await afterMinutes(29, [asked(), asked({ id: 'CLR-2-001', status: 'answered' })]);
    const before = hub.writes();
    const { items: active } = await hub.store.ledgers.list({ active: true });
    expect(active).toHaveLength(2);
    const nothing = { stale: [], stuck: [], deadlocked: [], abandoned: [], active, warnings: [] };
    expect(await runCheck(hub)).toEqual(nothing);
    expect(await runCheckIfNeeded(hub, () => Promise.reject(new Error('The settings are read.')))).toEqual(nothing);
    expect(hub.writes()).toBe(before);
    expect(hub.briefs).toEqual([]);
  });

  it('goes to the file system a few dozen times for ten issues, and waits for nothing', async () => {
    const root = temporaryFolder();
    const records = Array.from({ length: 10 }, (_, index) => asked({ id: `CLR-${index + 1}-001` }));
    await afterMinutes(0, records, { store: openFileStore({ root, sync: false }) });
    const { fs, calls } = countedFileSystem();
    const hub = await aHubWith([], { store: openFileStore({ root, fs }) });
    calls.length = 0;
    expect((await runCheck(hub)).active).toHaveLength(10);
    // Half a second is some thousand calls.
    expect(calls.length).toBeLessThanOrEqual(100);
    expect(hub.clock.sleeps).toEqual([]);
  });
});

describe('the first expiry', () => {
  it('starts the target once more with the same question, announced [US-5.1/3] [US-5.1/7] [US-6.3/3]', async () => {
    const hub = await afterMinutes(30, [asked()], { turns: { architect: ['PostgreSQL.'] } });
    const lines: string[] = [];
    const { stale } = await runCheck(hub, { announce: (line) => lines.push(line) });
    expect(lines).toEqual(['CLR-1-001 has waited too long: asking architect once more...']);
    expect(hub.briefs.map(({ clarification }) => clarification?.question)).toEqual(['SQLite or PostgreSQL?']);
    expect(stale).toMatchObject([{ issueNumber: 1, record: { id: 'CLR-1-001', status: 'answered', retries: 1 } }]);
    expect(events(hub)).toEqual(['clarification-stale', 'clarification-answered']);
    expect(await hub.store.questions.list()).toMatchObject({ items: [] });
  });

  it('is only reported when retries are not wanted', async () => {
    const hub = await afterMinutes(30, [asked()]);
    const before = hub.writes();
    const { stale } = await runCheck(hub, { retry: false });
    expect(stale).toMatchObject([{ record: { id: 'CLR-1-001', status: 'pending' } }]);
    expect([hub.writes() - before, hub.briefs]).toEqual([0, []]);
  });

  it('finds stale records of all issues [US-5.1/6]', async () => {
    const hub = await afterMinutes(30, [asked(), asked({ id: 'CLR-2-001' }), asked({ id: 'CLR-3-001' })]);
    expect(idsOf((await runCheck(hub)).stale)).toEqual(['CLR-1-001', 'CLR-2-001', 'CLR-3-001']);
    expect(hub.briefs).toHaveLength(3);
  });

  it('is taken up again where a crash left the record stale', async () => {
    const hub = await afterMinutes(0, [asked({ status: 'stale' })]);
    await runCheck(hub);
    expect((await hub.record('CLR-1-001'))?.status).toBe('answered');
  });

  it('says what came of the retry [US-5.1/8]', async () => {
    const hub = await afterMinutes(30, [asked()]);
    expect(await autoRetry(hub, { clarificationId: 'CLR-1-001' })).toEqual({ retried: true, newStatus: 'answered' });
    expect(await autoRetry(hub, { clarificationId: 'CLR-1-001' })).toEqual({ retried: false, newStatus: 'answered' });
  });

  it('goes on with the others when a target fails', async () => {
    const failure = new AgentXError('AGENT_ERROR', 'The architect crashed.');
    const hub = await afterMinutes(30, [asked(), asked({ id: 'CLR-2-001', to: 'product-manager' })], {
      turns: { architect: [failure] },
    });
    await runCheck(hub);
    expect((await hub.record('CLR-1-001'))?.status).toBe('escalated');
    expect((await hub.record('CLR-2-001'))?.status).toBe('answered');
  });
});

describe('a target that nobody can start', () => {
  const notApproved = new AgentXError('UNAUTHORIZED', "Agent 'architect' is not approved: agentx trust.");
  const withoutArchitect = (hub: FilledHub): FilledHub => ({
    ...hub,
    runnerFor: (agent) => {
      if (agent === 'architect') throw notApproved;
      return hub.runnerFor(agent);
    },
  });

  it('does not use up its retry: each check warns and goes on, and asks it once it can', async () => {
    const other = asked({ id: 'CLR-2-001', to: 'product-manager' });
    const hub = await afterMinutes(30, [asked(), asked({ id: 'CLR-1-002', topic: 'Load' }), other]);
    const lines: string[] = [];
    for (const wait of [0, 29]) {
      hub.advance(wait);
      const { stale, warnings } = await runCheck(withoutArchitect(hub), { announce: (line) => lines.push(line) });
      expect(warnings).toEqual([notApproved]);
      expect(stale[0]).toMatchObject({ record: { id: 'CLR-1-001', status: 'stale', retries: 0 } });
    }
    expect(lines).toEqual(['CLR-2-001 has waited too long: asking product-manager once more...']);
    expect((await hub.record('CLR-2-001'))?.status).toBe('answered');
    expect(hub.log.lines.filter(({ fields }) => fields.error === notApproved.message)).toHaveLength(2);
    await runCheck(hub);
    expect(await hub.record('CLR-1-001')).toMatchObject({ status: 'answered', retries: 1 });
  });

  it('is a matter for a human one SLA period after it was found late, with what is wrong as the reason', async () => {
    const hub = await afterMinutes(300, [asked()]);
    const broken = withoutArchitect(hub);
    await runCheck(broken);
    hub.advance(30);
    expect(await runCheck(broken)).toMatchObject({
      stale: [{ record: { status: 'escalated', retries: 0 } }],
      warnings: [],
    });
    expect((await hub.record('CLR-1-001'))?.thread.at(-1)?.reason).toBe(
      `architect did not answer in time and could not be asked again: ${notApproved.message}`,
    );
    expect(hub.briefs).toEqual([]);
  });

  it('is no matter for whoever wants no retries', async () => {
    const hub = await afterMinutes(30, [asked()]);
    expect((await runCheck(withoutArchitect(hub), { retry: false })).warnings).toEqual([]);
  });
});

describe('a target that waits for a human', () => {
  const first = asked({ awaits: ['CLR-1-002'] });
  const second = asked({ id: 'CLR-1-002', from: 'architect', to: 'product-manager', questions: ['oq-users'] });
  const aQuestionOf = (fields: object = {}) => aQuestion({ id: 'oq-users', issueNumber: 1, blocking: true, ...fields });

  it('is not late, and neither is whoever asked it: the human is asked once', async () => {
    const hub = await afterMinutes(120, [first, second]);
    await hub.store.questions.create(aQuestionOf());
    expect(await runCheck(hub)).toMatchObject({ stale: [] });
    expect((await runCheckIfNeeded(hub, async () => hub)).stale).toEqual([]);
    expect(hub.briefs).toEqual([]);
    expect((await hub.store.questions.list({ status: 'open' })).items.map(({ id }) => id)).toEqual(['oq-users']);
  });

  it('is asked again when the question has ended and nobody else did that', async () => {
    const hub = await afterMinutes(120, [first, second]);
    await hub.store.questions.create(aQuestionOf({ status: 'resolved', outcome: 'declined', resolvedAt: AT }));
    expect(idsOf((await runCheck(hub)).stale)).toEqual(['CLR-1-001', 'CLR-1-002']);
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['product-manager', 'architect']);
  });

  it('has its whole time again from the answer on: nobody is asked again, and no other human', async () => {
    for (const retries of [0, 1]) {
      const hub = await afterMinutes(120, [
        { ...first, retries },
        { ...second, retries },
      ]);
      await hub.store.questions.create(
        aQuestionOf({ status: 'resolved', outcome: 'answered', resolvedAt: hub.clock.now() }),
      );
      expect(await runCheck(hub)).toMatchObject({ stale: [] });
      hub.advance(29);
      expect(await runCheck(hub)).toMatchObject({ stale: [] });
      expect([hub.briefs, (await hub.store.questions.list({ status: 'open' })).items]).toEqual([[], []]);
      hub.advance(1);
      expect(idsOf((await runCheck(hub)).stale)).toEqual(['CLR-1-001', 'CLR-1-002']);
    }
  });

  it('is late like any other where what it asked holds nobody up', async () => {
    const hub = await afterMinutes(120, [second]);
    await hub.store.questions.create(aQuestionOf({ blocking: false }));
    expect(idsOf((await runCheck(hub)).stale)).toEqual(['CLR-1-002']);
  });
});

describe('the second expiry', () => {
  it('escalates, so that nobody waits longer than two SLA periods [US-5.1/4] [US-5.1/9]', async () => {
    const hub = await afterMinutes(30, [asked()], { turns: { architect: [() => new Promise(() => {})] } });
    const neverReady = runCheck(hub);
    await expect.poll(() => hub.briefs).toHaveLength(1);
    hub.advance(30);
    const result = await Promise.race([runCheck(hub), neverReady]);
    expect(result.stale).toMatchObject([{ record: { status: 'escalated', retries: 1 } }]);
    expect(hub.briefs).toHaveLength(1);
    const question = await hub.store.questions.read(escalationQuestionId('CLR-1-001', 1));
    expect(question).toMatchObject({ status: 'open', createdAt: '2026-02-26T11:00:00.000Z' });
  });

  it('escalates without a program, so it does so also where retries are not wanted', async () => {
    const hub = await afterMinutes(30, [asked({ retries: 1 })]);
    expect((await runCheck(hub, { retry: false })).stale).toMatchObject([{ record: { status: 'escalated' } }]);
    expect(hub.briefs).toEqual([]);
  });

  it('leaves a record alone that is answered at the last moment', async () => {
    const hub = await afterMinutes(30, [asked({ retries: 1 })]);
    const { store } = hub;
    const slow = { ...store, ledgers: { ...store.ledgers, list: () => answeredMeanwhile() } };
    const answeredMeanwhile = async () => {
      const listing = await store.ledgers.list({ active: true });
      await answer(hub, { clarificationId: 'CLR-1-001', answer: 'PostgreSQL.', by: 'architect' });
      return listing;
    };
    await runCheck({ ...hub, store: slow });
    expect((await hub.record('CLR-1-001'))?.status).toBe('answered');
  });
});

describe('a stale record that another process has acted on', () => {
  it('is neither asked again a second time nor handed to a human instead of being asked again', async () => {
    const [asksAgain, hands] = [asked({ status: 'stale', retries: 1 }), asked({ status: 'stale', retries: 0 })];
    const twice = await aHubWith([asksAgain]);
    expect(await autoRetry(twice, { clarificationId: 'CLR-1-001' })).toEqual({ retried: false, newStatus: 'stale' });
    expect(twice.briefs).toEqual([]);
    const early = await aHubWith([hands]);
    await escalateExpired(early, 'CLR-1-001');
    expect((await early.record('CLR-1-001'))?.status).toBe('stale');
    const pending = await aHubWith([asked()]);
    expect(await autoRetry(pending, { clarificationId: 'CLR-1-001' })).toEqual({
      retried: false,
      newStatus: 'pending',
    });
  });
});

describe('a stuck clarification', () => {
  const question = { from: 'engineer', type: 'question', body: 'SQLite or PostgreSQL?', timestamp: AT } as const;
  const between = { round: 1, from: 'architect', type: 'answer', body: 'Yes.', timestamp: AT } as const;
  const thread = [{ ...question, round: 1 }, between, { ...question, round: 2 }];

  it('whose target is at work is left to it until its time is over', async () => {
    const hub = await aHubWith([asked({ round: 2, thread })]);
    const claim = await hub.store.claim({ route: 'CLR-1-001' });
    expect((await runCheck(hub)).stuck).toEqual([]);
    expect((await hub.record('CLR-1-001'))?.status).toBe('pending');
    await claim.release();
    expect(idsOf((await runCheck(hub)).stuck)).toEqual(['CLR-1-001']);
  });

  it('whose issue is under way in a run is left to the run, which asks its target in a moment', async () => {
    const hub = await aHubWith([asked({ round: 2, thread })]);
    const run = aRun({ issueNumber: 1 });
    const runs = {
      ...hub.store.runs,
      list: async () => ({ items: [{ run, isCarried: true }], damaged: [] }),
    };
    expect((await runCheck({ ...hub, store: { ...hub.store, runs } })).stuck).toEqual([]);
  });

  it('is escalated by itself [US-5.2/3]', async () => {
    const hub = await aHubWith([asked({ round: 2, thread })]);
    const { stuck } = await runCheck(hub);
    expect(stuck).toMatchObject([{ record: { status: 'escalated' } }]);
    expect(stuck[0]?.record.thread.at(-1)?.body).toContain('Reason: engineer asked the same twice in a row');
    expect(hub.briefs).toEqual([]);
  });

  it('is left alone if it has changed since it was listed', async () => {
    const before = asked({ round: 2, thread });
    const listed = [{ issueNumber: 1, record: before }];
    const again = { ...question, round: 3, body: 'In which mode?' };
    const answered = { ...between, round: 2 };
    for (const present of [
      { ...before, status: 'answered', thread: [...thread, answered] },
      { ...before, round: 3, thread: [...thread, answered, again] },
    ] as const) {
      const hub = await aHubWith([present]);
      const ledgers = { ...hub.store.ledgers, list: async () => ({ items: listed, damaged: [] }) };
      await runCheck({ ...hub, store: { ...hub.store, ledgers } });
      expect(await hub.record('CLR-1-001')).toEqual(present);
    }
  });

  it('that mirrors another leaves the other to go on', async () => {
    const back = asked({ id: 'CLR-1-002', from: 'architect', to: 'engineer', blocking: false });
    const hub = await aHubWith([asked(), back]);
    expect(idsOf((await runCheck(hub)).stuck)).toEqual(['CLR-1-002']);
    expect((await hub.record('CLR-1-001'))?.status).toBe('pending');
  });
});

describe('a deadlock', () => {
  const upstream = asked({ id: 'CLR-1-001', from: 'architect', to: 'engineer', topic: 'Load' });
  const downstream = asked({ id: 'CLR-2-001', topic: 'Adapter' });

  it('is broken at the downstream agent, with context; the other goes on to its answer [US-5.3/3] [US-5.3/4]', async () => {
    const hub = await aHubWith([upstream, downstream]);
    const { deadlocked } = await runCheck(hub);
    expect(deadlocked).toMatchObject([{ record: { status: 'pending' } }, { record: { status: 'escalated' } }]);
    const body = deadlocked[1]?.record.thread.at(-1)?.body;
    expect(body).toContain('Topic: Adapter');
    expect(body).toContain('SQLite or PostgreSQL?');
    expect(body).toMatch(/Reason: deadlock: .*engineer waits for architect/);
    hub.advance(30);
    await runCheck(hub);
    expect((await hub.record('CLR-1-001'))?.status).toBe('answered');
  });

  it('of two threads about the same is broken once', async () => {
    const mirrored = asked({ id: 'CLR-1-002', from: 'architect', to: 'engineer' });
    const hub = await aHubWith([asked(), mirrored]);
    const { deadlocked, stuck } = await runCheck(hub);
    expect(idsOf(deadlocked).toSorted()).toEqual(['CLR-1-001', 'CLR-1-002']);
    expect(idsOf(stuck)).toEqual(['CLR-1-002']);
    expect((await hub.record('CLR-1-001'))?.status).toBe('escalated');
    expect((await hub.record('CLR-1-002'))?.status).toBe('pending');
  });
});

describe('an abandoned clarification', () => {
  it('ends when its requester is done on the issue, and the event says so [US-5.5/1] [US-5.5/3]', async () => {
    const hub = await afterMinutes(5, [asked()]);
    const at = hub.clock.now();
    await hub.store.statuses.update(['engineer'], (file) => {
      const entry = applyStatusEvent(file.engineer, { type: 'set', issue: 1, at, status: 'done' });
      return { next: { ...file, engineer: entry }, result: undefined };
    });
    expect(await runCheck(hub)).toMatchObject({ abandoned: [{ record: { status: 'abandoned' } }], stale: [] });
    expect(events(hub)).toEqual(['clarification-abandoned']);
    expect((await hub.store.statuses.read()).engineer?.status).toBe('done');
  });

  it('ends when its run has ended', async () => {
    const hub = await afterMinutes(5, [asked()]);
    const run = aRun({ issueNumber: 1, status: 'failed', updatedAt: hub.clock.now() });
    await hub.store.runs.update(1, () => ({ next: run, result: undefined }));
    expect(idsOf((await runCheck(hub)).abandoned)).toEqual(['CLR-1-001']);
  });
});

describe('what a check gives back', () => {
  it('is all that is wrong, each record as it was left [US-5.4/8]', async () => {
    const notYet = { staleAfter: '2026-02-26T12:00:00.000Z' };
    const hub = await aHubWith([
      asked({ id: 'CLR-1-001', blocking: false, staleAfter: AT }),
      asked({ id: 'CLR-1-002', blocking: false, from: 'architect', to: 'engineer', ...notYet }),
      asked({ id: 'CLR-2-001', from: 'tester', to: 'coder', ...notYet }),
      asked({ id: 'CLR-3-001', from: 'coder', to: 'tester', ...notYet }),
    ]);
    const { stale, stuck, deadlocked, abandoned } = await runCheck(hub);
    const shown = (found: typeof stale) =>
      found.map(({ issueNumber, record }) => [issueNumber, record.id, record.status]);
    expect({ stale: shown(stale), stuck: shown(stuck), deadlocked: shown(deadlocked), abandoned }).toEqual({
      stale: [[1, 'CLR-1-001', 'answered']],
      stuck: [[1, 'CLR-1-002', 'escalated']],
      deadlocked: [
        [2, 'CLR-2-001', 'pending'],
        [3, 'CLR-3-001', 'escalated'],
      ],
      abandoned: [],
    });
  });
});

describe('checks that run at the same time', () => {
  it('act once', async () => {
    const hub = await afterMinutes(30, [
      asked(),
      asked({ id: 'CLR-2-001', retries: 1 }),
      asked({ id: 'CLR-3-001', from: 'architect', to: 'product-manager', topic: 'Load' }),
      asked({ id: 'CLR-3-002', from: 'product-manager', to: 'architect', topic: 'Scope' }),
    ]);
    const results = await Promise.all([runCheck(hub), runCheck(hub), runCheck(hub)]);
    expect(results.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(hub.briefs.map(({ clarification }) => clarification?.id).toSorted()).toEqual(['CLR-1-001', 'CLR-3-002']);
    expect(events(hub).toSorted()).toEqual([
      'clarification-answered',
      'clarification-answered',
      'clarification-escalated',
      'clarification-escalated',
      'clarification-stale',
      'clarification-stale',
      'clarification-stale',
    ]);
    expect((await hub.store.questions.list()).items).toHaveLength(2);
  });
});

describe('checks of two stores on one folder', () => {
  it('start the target once', async () => {
    const root = temporaryFolder();
    const open = () => openFileStore({ root, sync: false });
    const first = await aHubWith([asked({ id: 'CLR-1-001' })], { store: open() });
    const second = await aHubWith([], { store: open() });
    first.advance(30);
    second.advance(30);
    await Promise.all([runCheck(first), runCheck(second)]);
    expect([...first.briefs, ...second.briefs]).toHaveLength(1);
    expect(await second.record('CLR-1-001')).toMatchObject({ status: 'answered', retries: 1 });
  });
});

describe('a check of damaged files', () => {
  it('skips a damaged ledger with a warning and goes on [US-5.4/11]', async () => {
    const store = openInMemoryStore();
    const damaged = new AgentXError('CORRUPT_FILE', 'issue-9.json is not JSON.', { path: 'issue-9.json' });
    const hub = await afterMinutes(30, [asked()], {
      store: {
        ...store,
        ledgers: {
          ...store.ledgers,
          list: async () => ({ ...(await store.ledgers.list({ active: true })), damaged: [damaged] }),
        },
      },
    });
    const { stale, warnings } = await runCheck(hub);
    expect(warnings).toEqual([damaged]);
    expect(idsOf(stale)).toEqual(['CLR-1-001']);
    expect(hub.log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields.error)).toContain(
      'issue-9.json is not JSON.',
    );
  });

  it('goes on without a damaged status file', async () => {
    const store = openInMemoryStore();
    const damaged = new AgentXError('CORRUPT_FILE', 'agent-status.json is not JSON.');
    const hub = await aHubWith([asked()], {
      store: { ...store, statuses: { ...store.statuses, read: () => Promise.reject(damaged) } },
    });
    hub.advance(30);
    const { warnings } = await runCheck(hub);
    expect(warnings).toContain(damaged);
    expect((await hub.record('CLR-1-001'))?.status).toBe('answered');
  });
});

describe('the log of a check', () => {
  it('has the counts of every check [CL-7/3]', async () => {
    const hub = await afterMinutes(30, [asked()]);
    await runCheck(hub);
    const lines = hub.log.lines.filter(({ message }) => message === 'monitor check');
    expect(lines).toMatchObject([
      { level: 'info', fields: { staleCount: 0, stuckCount: 0, deadlockedCount: 0 } },
      { level: 'info', fields: { staleCount: 1, stuckCount: 0, deadlockedCount: 0 } },
    ]);
  });
});
