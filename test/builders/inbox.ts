import type { InboxPorts, InboxSettings } from '../../src/inbox/ports.js';
import { aHub, type FixedClock, fixedClock, type TestHub, type TestHubOptions } from './hub.js';

export interface TestInbox extends TestHub, InboxPorts {
  readonly runnerFor: TestHub['runnerFor'];
  readonly bus: TestHub['bus'];
  readonly log: TestHub['log'];
  readonly clock: FixedClock;
  readonly settings: InboxSettings;
}

export interface TestInboxOptions extends Omit<TestHubOptions, 'clock'> {
  readonly clock?: FixedClock;
  readonly settings?: Partial<InboxSettings>;
  /** Files and folders of the repository. */
  readonly paths?: readonly string[];
}

const MINUTE = 60_000;

/** An inbox in memory at ten o'clock: five minutes until a fallback, everything held for approval. */
export async function anInbox(options: TestInboxOptions = {}): Promise<TestInbox> {
  const { clock = fixedClock(), settings, paths = [] } = options;
  const hub = await aHub({ ...options, clock });
  const files = new Set(paths.map(bare));
  return {
    ...hub,
    clock,
    paths: {
      exists: async (path) => files.has(bare(path)),
      isNameOfFile: async (name) => [...files].some((path) => path === name || path.endsWith(`/${name}`)),
    },
    settings: {
      autonomy: {
        scopeChanges: 'requires_approval',
        architectureDecisions: 'requires_approval',
        dependencyModifications: 'requires_approval',
      },
      fallbackMs: 5 * MINUTE,
      isHeadless: false,
      ...settings,
    },
  };
}

function bare(path: string): string {
  return path.replace(/^\.?\//, '').replace(/\/$/, '');
}
