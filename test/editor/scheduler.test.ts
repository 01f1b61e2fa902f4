import { expect, it } from 'vitest';
import { aClarification } from '../builders/clarification.js';
import { aRunnable, storeOf } from '../scenarios/support/runs.js';
import { aWindow, withEditor } from './support/a-window.js';
import { setSetting, showView, textsOf } from './support/workbench.js';

withEditor();

const STEPS = '[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\ncan_clarify = ["architect"]\n';
const SCRIPT = '[[turns]]\nagent = "architect"\ntimes = 0\nanswer = "SQLite, it has no server."\n';

it('where its setting is on, the editor looks for what is stale by itself, and has it asked again [US-5.4/6]', async () => {
  const folder = await aRunnable({ steps: STEPS, script: SCRIPT });
  const stale = aClarification({ id: 'CLR-1-001', topic: 'Database' });
  const { ledgers } = storeOf(folder);
  await ledgers.update(1, (ledger) => ({ next: { ...ledger, clarifications: [stale] }, result: undefined }));
  const { page, host } = await aWindow({ folder });
  await showView(page);
  const threads = async () => (await textsOf(page, 'Clarifications')).join('\n');
  await expect.poll(threads).toMatch(/Database CLR-1-001 .*, pending/);
  // Looking at it changes nothing: the scheduler is off.
  expect(await ledgers.read(1)).toMatchObject({ clarifications: [{ status: 'pending' }] });

  await setSetting(host, 'scheduler.enabled', true);
  await expect.poll(() => ledgers.read(1)).toMatchObject({ clarifications: [{ status: 'answered' }] });
  await expect.poll(threads).toMatch(/Database CLR-1-001 .*, answered/);
});
