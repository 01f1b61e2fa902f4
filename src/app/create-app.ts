import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import { openFileStore } from '../storage/files/store.js';

export interface AppOptions {
  /** The `.agentx` folder. */
  readonly root: string;
}

/** What every surface works with. */
export interface App {
  readonly root: string;
  readonly store: Store;
  readonly clock: Clock;
}

/** The only place that names concrete adapters. */
export function createApp({ root }: AppOptions): App {
  return { root, store: openFileStore({ root }), clock: { now: () => new Date().toISOString() } };
}

/** A new, empty `.agentx` folder outside any repository, for trying things out. */
export function temporaryRoot(): string {
  return join(mkdtempSync(join(tmpdir(), 'agentx-demo-')), '.agentx');
}
