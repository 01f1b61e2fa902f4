import type { ChangePorts } from '../hub/ports.js';
import type { Paths } from '../ports/paths.js';
import type { Autonomy } from '../protocol/autonomy.js';

export interface InboxSettings {
  readonly autonomy: Autonomy;
  /** How long a question with a fallback waits for a human. */
  readonly fallbackMs: number;
  /** The user says that no channel reaches a person. */
  readonly isHeadless: boolean;
}

/** Everything that the inbox needs from outside. It changes clarifications and has no agent answer: nothing in it routes. */
export interface InboxPorts extends ChangePorts {
  readonly settings: InboxSettings;
  readonly paths: Paths;
  /** Breaks off waiting for another process that asks about the same issue. */
  readonly signal?: AbortSignal;
}
