import { channelsOf } from '../../src/notify/channel.js';
import type { NotifyPorts } from '../../src/notify/tell-people.js';
import type { Store } from '../../src/ports/store.js';
import { NotifyTable } from '../../src/protocol/notify.js';
import { fixedClock, recordingLog } from './hub.js';

const COMMAND = { channel: 'command', command: ['tell'], gather_seconds: 0 };

/** Ports with one channel that notes the ids of its messages. */
export function aTeller(store: Store) {
  const told: string[] = [];
  const clock = fixedClock();
  const ports: NotifyPorts & { readonly store: Store } = {
    store,
    clock,
    log: recordingLog(),
    env: {},
    cwd: '.',
    root: '.',
    platform: 'linux',
    project: 'shop',
    channels: channelsOf([NotifyTable.parse(COMMAND)]),
    isApproved: () => true,
    pageUrl: () => undefined,
    sign: () => 'TOKEN',
    hasProgram: () => true,
    runProgram: async ({ env }) => {
      told.push(env.AGENTX_NOTIFICATION ?? '');
      return { stdout: new Uint8Array(), stderr: '', end: { code: 0 } };
    },
  };
  return { clock, ports, told };
}
