import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { anIssue } from '../../test/builders/issue.js';
import { aQuestion } from '../../test/builders/question.js';
import { aRun } from '../../test/builders/run.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import type { App } from '../app/app.js';
import { createApp } from '../app/create-app.js';
import type { Change } from '../ports/changes.js';
import { AgentXError } from '../protocol/errors.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { Feed } from './feed.js';

/** A feed over a store that says nothing of what changed, until it says that anything may have. */
async function aFeed(changed: (app: App) => App = (app) => app) {
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  const store = openInMemoryStore();
  const listeners: ((change: Change) => void)[] = [];
  const watch = (listener: (change: Change) => void) => {
    listeners.push(listener);
    return () => {};
  };
  const app = changed(createApp({ root, store: { ...store, watch } }));
  onTestFinished(app.close);
  await store.questions.create(aQuestion({ id: 'oq-old' }));
  await app.serverToken();
  const feed = new Feed(app, 'test');
  onTestFinished(await feed.start());
  const types: string[] = [];
  feed.onMessage(({ type }) => types.push(type));
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  return { store, feed, types, tell, tellEverything: () => tell({ kind: 'everything', id: '' }) };
}

/** Fails the first time. */
function onceBroken<A extends readonly unknown[], R>(work: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
  let count = 0;
  return async (...given) => {
    count += 1;
    if (count === 1) throw new AgentXError('STORE_ERROR', 'The disk does not answer.');
    return work(...given);
  };
}

it('keeps of the changes of a question the last one, however long a person types', async () => {
  const { store, feed, types, tell } = await aFeed();
  const typed = async (at: string) => {
    const typing = { principal: 'ada', at, heldMs: 0 };
    await store.questions.update('oq-old', (question) => ({ next: { ...question, typing }, result: undefined }));
    const count = types.length;
    tell({ kind: 'questions', id: 'oq-old' });
    await until(() => types.length > count);
  };
  await typed('2026-02-26T10:00:01.000Z');
  await store.questions.create(aQuestion({ id: 'oq-new' }));
  tell({ kind: 'questions', id: 'oq-new' });
  await until(() => types.includes('notification.added'));
  await typed('2026-02-26T10:00:02.000Z');
  await typed('2026-02-26T10:00:03.000Z');
  const seqs = (since: number) => feed.since(since, feed.epoch)?.map(({ type, seq }) => [type, seq]);
  expect(seqs(0)).toEqual([
    ['notification.added', 2],
    ['notification.updated', 4],
  ]);
  expect(seqs(3)).toEqual([['notification.updated', 4]]);
  expect(seqs(4)).toEqual([]);
});

it('looks again at a document that could not be read', async () => {
  const { store, types, tell } = await aFeed((app) => ({ ...app, question: onceBroken(app.question) }));
  await store.questions.create(aQuestion({ id: 'oq-new' }));
  tell({ kind: 'questions', id: 'oq-new' });
  await until(() => types.includes('notification.added'));
});

it('lists again what may have changed and could not be listed', async () => {
  const { store, types, tellEverything } = await aFeed((app) => ({ ...app, issues: onceBroken(app.issues) }));
  await store.questions.create(aQuestion({ id: 'oq-new' }));
  tellEverything();
  await until(() => types.includes('notification.added'));
});

it('finds what changed where the store only knows that anything may have', async () => {
  const { store, types, tellEverything } = await aFeed();
  await store.questions.create(aQuestion({ id: 'oq-new' }));
  await store.issues.create(anIssue());
  await store.questions.update('oq-old', (question) => ({
    next: { ...question, status: 'resolved' as const, outcome: 'dismissed' as const },
    result: undefined,
  }));
  tellEverything();
  await until(() => types.length >= 3);
  expect(types.toSorted()).toEqual(['notification.added', 'notification.resolved', 'task.updated']);
  tellEverything();
  tellEverything();
  await store.questions.create(aQuestion({ id: 'oq-newer' }));
  tellEverything();
  await until(() => types.length >= 4);
  expect(types.slice(3)).toEqual(['notification.added']);
});

it('says that a run can go on, even if it is looked at before the question that has ended', async () => {
  const { store, feed, types, tell } = await aFeed();
  const run = aRun({ status: 'paused', waitingOn: ['oq-old'] });
  await store.runs.update(run.issueNumber, () => ({ next: run, result: undefined }));
  await store.questions.update('oq-old', (question) => ({
    next: { ...question, status: 'resolved', outcome: 'declined' },
    result: undefined,
  }));
  tell({ kind: 'runs', id: String(run.issueNumber) });
  await until(() => types.includes('run.updated'));
  expect(feed.since(0, feed.epoch)).toMatchObject([
    { type: 'run.updated', status: 'paused', goOn: `agentx run ${run.issueNumber}` },
  ]);
});
