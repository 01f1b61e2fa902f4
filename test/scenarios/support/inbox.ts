import { join } from 'node:path';
import { loadConfig } from '../../../src/app/config.js';
import { createEventBus } from '../../../src/app/event-bus.js';
import { openEngine } from '../../../src/app/hub-ports.js';
import { askHumans, type ReadyAsking } from '../../../src/inbox/ask.js';
import type { InboxPorts, InboxSettings } from '../../../src/inbox/ports.js';
import type { Reply } from '../../../src/protocol/reply.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import { untilLocksAreFree } from './agentx.js';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The inbox of a repository, as a run uses it: for what agents ask on issue 1. */
export async function openInbox(cwd: string, settings: Partial<InboxSettings> = {}) {
  const root = join(cwd, '.agentx');
  const clock = { now: () => new Date().toISOString(), sleep: async () => {} };
  const base = { store: openFileStore({ root }), bus: createEventBus({ onError: () => {} }), clock, log: quiet };
  const { ports } = openEngine(root, base, { config: loadConfig(root), env: {} });
  const inbox: InboxPorts = { ...ports, settings: { ...ports.settings, ...settings } };
  const origin = 'run-1-aa/step/1/question/0';
  return {
    ask: (request: Pick<ReadyAsking, 'parts' | 'fallback' | 'consequence'> & Partial<Pick<ReadyAsking, 'origin'>>) =>
      alone(
        askHumans(inbox, { origin, issueNumber: 1, agent: 'engineer', source: 'execute', sourceId: '1', ...request }),
      ).then(({ question }) => question),
    take: (agent: string, reply: Reply) =>
      alone(askHumans(inbox, { origin, issueNumber: 1, agent, reply, runId: 'run-1-aa', phase: 'planning' })),
  };
}

async function alone<T>(work: Promise<T>): Promise<T> {
  const result = await work;
  await untilLocksAreFree();
  return result;
}
