import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { Routes } from './routes.js';

it('starts no second process for a target while the first is at work', async () => {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {}, store: openInMemoryStore() });
  const ends: (() => void)[] = [];
  const routes = new Routes((_, onEnd) => ends.push(onEnd));
  for (const id of ['CLR-1-001', 'CLR-1-001', 'CLR-1-002']) routes.later(app, id);
  expect(ends).toHaveLength(2);
  ends[0]?.();
  for (const id of ['CLR-1-001', 'CLR-1-002']) routes.later(app, id);
  expect(ends).toHaveLength(3);
});
