import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { RunnerFunction } from '../ports/runner.js';
import { openFileStore } from '../storage/files/store.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { createApp } from './create-app.js';
import { initFolder } from './init.js';

const ASK = { issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Database', question: 'Two adapters?' };

async function aRoot(): Promise<string> {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {} });
  await app.createIssue({ title: 'Health endpoint' });
  await app.close();
  return root;
}

/** Reports that it has begun, and works until it is broken off. */
function endless(): { readonly run: RunnerFunction; readonly begun: Promise<unknown> } {
  const events = new EventTarget();
  const begun = once(events, 'begun');
  return {
    begun,
    run: async (_, { signal = new AbortController().signal }) => {
      events.dispatchEvent(new Event('begun'));
      await once(signal, 'abort');
      throw new Error('ended');
    },
  };
}

const listeners = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
/** How many listeners there are beyond those of before. Some of those may have been about to go: tests share a process. */
const listenersBeyond = (before: readonly number[]) =>
  listeners().map((count, index) => Math.max(0, count - (before[index] ?? 0)));

describe('an app that is given what it stands on', () => {
  it('asks agents that are functions, and knows those that no file names', async () => {
    const root = await aRoot();
    const app = createApp({
      root,
      env: {},
      runners: {
        architect: ({ clarification }) => `Two adapters. (${clarification?.topic})`,
        'product-manager': () => ({ answer: 'Ten users.' }),
        oracle: () => 'Never asked.',
      },
    });
    expect(await app.ask(ASK)).toMatchObject({ status: 'answered', answer: 'Two adapters. (Database)' });
    expect(await app.ask({ ...ASK, to: 'product-manager' })).toMatchObject({ answer: 'Ten users.' });
    await expect(app.ask({ ...ASK, to: 'oracle' })).rejects.toMatchObject({ code: 'SCOPE_VIOLATION' });
    await app.close();
  });

  it('reads the text of a function like that of a program, and its failure as the failure of the agent', async () => {
    const root = await aRoot();
    const clock = { now: () => new Date().toISOString(), sleep: async () => {} };
    const replies = ['Here it is:\n```json\n{"answer": "SQLite."}\n```', new TypeError('no model')];
    const architect = () => {
      const next = replies.shift() ?? new TypeError('still no model');
      if (typeof next === 'string') return next;
      throw next;
    };
    const app = createApp({ root, env: {}, clock, runners: { architect } });
    expect(await app.ask(ASK)).toMatchObject({ answer: 'SQLite.' });
    const failedAsk = await app.ask({ ...ASK, topic: 'Cache' });
    expect(failedAsk.status).toBe('escalated');
    expect(JSON.stringify(failedAsk.record)).toContain("Agent 'architect' failed: still no model");
    await app.close();
  });

  it('keeps its records in the store that it is given, by the clock that it is given', async () => {
    const root = await aRoot();
    const store = openInMemoryStore();
    const clock = { now: () => '2030-01-02T03:04:05.000Z', sleep: async () => {} };
    const app = createApp({ root, env: {}, store, clock, runners: { architect: () => 'Yes.' } });
    await app.createIssue({ title: 'Elsewhere' });
    await app.ask(ASK);
    await app.close();
    expect((await store.ledgers.read(1)).clarifications).toMatchObject([{ created: '2030-01-02T03:04:05.000Z' }]);
    expect((await openFileStore({ root }).ledgers.read(1)).clarifications).toEqual([]);
  });
});

describe('an app that is closed', () => {
  it('leaves no listener, lock or litter behind, with a journal too', async () => {
    const root = await aRoot();
    const before = listeners();
    const store = openFileStore({ root, journalAfter: 1 });
    const app = createApp({ root, env: {}, store, runners: { architect: () => 'Yes.' } });
    app.watch(() => {});
    for (let count = 0; count < 20; count++) await app.ask({ ...ASK, topic: `Topic ${count}` });
    await app.close();
    await store.close();
    await expect.poll(() => listenersBeyond(before)).toEqual([0, 0, 0, 0]);
    const { problems } = await createApp({ root, env: {} }).doctor();
    expect(problems).toEqual([]);
  });

  it('breaks off an ask: it rejects with an AbortError, nothing is recorded, and another app asks at once', async () => {
    const root = await aRoot();
    const { run, begun } = endless();
    const app = createApp({ root, env: {}, runners: { architect: run } });
    const ask = app.ask(ASK).catch((error: unknown) => error);
    await begun;
    await app.close();
    expect(await ask).toMatchObject({ name: 'AbortError' });
    await expect(app.ask(ASK)).rejects.toMatchObject({ name: 'AbortError' });
    const other = createApp({ root, env: {}, runners: { architect: () => 'Yes.' } });
    expect(await other.route('CLR-1-001')).toMatchObject({ status: 'answered', answer: 'Yes.' });
    await other.close();
  });

  it('has any number of agents at work, without a word of warning', async () => {
    const root = await aRoot();
    const warnings: string[] = [];
    const hear = ({ message }: Error) => warnings.push(message);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    const runner: RunnerFunction = async (_, { signal = new AbortController().signal }) => {
      await once(signal, 'abort');
      throw new Error('ended');
    };
    let begunCount = 0;
    const app = createApp({
      root,
      env: {},
      runners: {
        architect: (brief, turn) => {
          begunCount++;
          return runner(brief, turn);
        },
      },
    });
    const asks = Array.from({ length: 20 }, (_, index) => app.ask({ ...ASK, topic: `Topic ${index}` }));
    const results = Promise.allSettled(asks);
    await expect.poll(() => begunCount).toBe(20);
    await app.close();
    expect((await results).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
    expect(warnings).toEqual([]);
  });

  it('leaves a run paused for another app to go on with', async () => {
    const root = await aRoot();
    const { run, begun } = endless();
    const all = (does: RunnerFunction) =>
      Object.fromEntries(['product-manager', 'architect', 'engineer', 'reviewer'].map((agent) => [agent, does]));
    const app = createApp({ root, env: {}, runners: all(run) });
    const running = app.run({ issueNumber: 1, wait: false });
    await begun;
    await app.close();
    expect(await running).toMatchObject({ status: 'paused', waitingOn: [] });
    const other = createApp({ root, env: {}, runners: all(() => 'Done.') });
    expect(await other.run({ issueNumber: 1, wait: false })).toMatchObject({ runId: (await running).runId });
    await other.close();
  });

  it('ends its own watches, not those of another app on the same folder', async () => {
    const root = await aRoot();
    const events: string[] = [];
    const [first, second] = [createApp({ root, env: {} }), createApp({ root, env: {} })];
    first.watch(({ kind }) => events.push(`first ${kind}`));
    second.watch(({ kind }) => events.push(`second ${kind}`));
    await first.close();
    events.length = 0;
    await second.commentIssue({ number: 1, body: 'Hello' });
    await expect.poll(() => events).toContain('second issues');
    expect(events.filter((line) => line.startsWith('first'))).toEqual([]);
    await second.close();
  });
});
