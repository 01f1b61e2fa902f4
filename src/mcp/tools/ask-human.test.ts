import { expect, it } from 'vitest';
import { aCall } from '../../../test/builders/mcp-call.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { createApp } from '../../app/create-app.js';
import { initFolder } from '../../app/init.js';
import { openInMemoryStore } from '../../storage/in-memory/store.js';
import { askHuman } from './ask-human.js';

it('refuses arguments that are nested too deeply', async () => {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {}, store: openInMemoryStore() });
  const questions = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  await expect(askHuman.call({ questions }, aCall(app))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('takes null for an argument that was left out, wherever it stands', async () => {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {}, store: openInMemoryStore() });
  const option = { label: 'EU', description: null, recommended: null };
  const questions = [{ text: 'Which region?', header: null, options: [option, { label: 'US' }], multiSelect: null }];
  const fallback = { option: 'EU', text: null, reasoning: 'Most users are there.', risk: 'low' };
  await askHuman.call({ questions, consequence: 'reversible', fallback, issue: null, blocking: false }, aCall(app));
  expect((await app.questions('open')).items).toMatchObject([
    {
      questions: [{ text: 'Which region?', options: [{ label: 'EU' }, { label: 'US' }] }],
      fallback: { optionId: 'a' },
    },
  ]);
});
