import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { anIssue } from '../../test/builders/issue.js';
import { aQuestion } from '../../test/builders/question.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import { createApp } from '../app/create-app.js';
import type { Change } from '../ports/changes.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { Feed } from './feed.js';

/** A feed over a store that says nothing of what changed, until it says that anything may have. */
async function aFeed() {
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  const store = openInMemoryStore();
  const listeners: ((change: Change) => void)[] = [];
  const watch = (listener: (change: Change) => void) => {
    listeners.push(listener);
    return () => {};
  };
  const app = createApp({ root, store: { ...store, watch } });
  onTestFinished(app.close);
  await store.questions.create(aQuestion({ id: 'oq-old' }));
  await app.serverToken();
  const feed = new Feed(app, 'test');
  onTestFinished(await feed.start());
  const types: string[] = [];
  feed.onMessage(({ type }) => types.push(type));
  const tellEverything = () => {
    for (const listener of listeners) listener({ kind: 'everything', id: '' });
  };
  return { store, types, tellEverything };
}

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
