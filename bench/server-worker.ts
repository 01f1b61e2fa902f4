import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../src/app/create-app.js';
import { serve } from '../src/server/serve.js';
import { layoutOf } from '../src/storage/files/layout.js';
import { serveBare } from './server/bare.js';
import type { FromServer, ToServer } from './server/messages.js';

/** One server in a process of its own: `server-worker.js ours|bare <folder>`. */
const [name, root = ''] = process.argv.slice(2);
const say = (message: FromServer) => process.send?.(message);
const start = name === 'ours' ? startOurs : startBare;
const { port, token, project, tell } = await start();

process.on('message', (message: ToServer) => {
  if (message.type === 'memory') {
    globalThis.gc?.();
    say({ type: 'memory', bytes: usedBytes() });
    return;
  }
  const at = Date.now();
  void tell(message.id).then(() => say({ type: 'told', at }));
});
process.on('disconnect', () => process.exit());
say({ type: 'ready', port, token, project });

/** Memory in use; the resident size rather shows what was used before. */
function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function startOurs() {
  const app = createApp({ root, env: { AGENTX_LOG: 'silent' } });
  const { project } = await app.config();
  const server = await serve({ app, host: '127.0.0.1', port: 0, principal: 'ada' });
  const token = await app.serverToken();
  const by = { principal: 'ada', channel: 'cli' } as const;
  return {
    port: server.port,
    token,
    project,
    tell: async (id: string) => void (await app.keepAlive({ id, by, responses: draft() })),
  };
}

/** Sends the same messages as ours, of the same length. */
async function startBare() {
  const { port, tell } = await serveBare(root);
  return {
    port,
    token: '',
    project: 'bench',
    async tell(id: string) {
      const notification = JSON.parse(readFileSync(join(layoutOf(root).questions, `${id}.json`), 'utf8'));
      const at = new Date().toISOString();
      const drafts = [{ principal: 'ada', responses: draft(), at }];
      tell(
        JSON.stringify({
          type: 'notification.updated',
          projectId: 'bench',
          notification: { ...notification, drafts },
          seq: 1,
        }),
      );
    },
  };
}

function draft() {
  return [{ questionId: 'q1', answer: new Date().toISOString() }];
}
