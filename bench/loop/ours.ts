import { join } from 'node:path';
import { modelRunner } from '../../src/agents/model/model-runner.js';
import { resumed } from '../../src/hub/transcript.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { aWorkBrief } from '../../test/builders/brief.js';
import { CONTENT, type Contender, PROMPT } from './work.js';

/** The runner as a run uses it: every finished call is in the store, synced, before the next one begins. */
export const ours: Contender = {
  title: 'ours, durable',
  async open(url, folder) {
    const store = openFileStore({ root: join(folder, '.agentx') });
    const clock = { now: () => new Date().toISOString(), sleep: async () => {} };
    const runner = modelRunner({
      model: 'compatible/m',
      baseUrl: `${url}/v1`,
      env: {},
      cwd: folder,
      root: join(folder, '.agentx'),
      files: { read: async () => CONTENT, list: async () => '', search: async () => '' },
      timeoutSeconds: 60,
      window: 1_000_000,
    });
    let count = 0;
    return async () => {
      count += 1;
      const talk = { id: `CLR-1-${String(count).padStart(3, '0')}.1`, agent: 'engineer', issueNumber: 1 };
      const { keep } = await resumed({ store, clock }, talk, { refusals: [], waitsForAll: false });
      const reply = await runner.run(aWorkBrief({ prompt: PROMPT }), { keep });
      if (reply.text?.includes('4820') !== true) throw new Error('The loop did not come to its end.');
    };
  },
};
