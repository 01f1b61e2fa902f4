import type { BasePorts, ResolvePorts } from '../hub/ports.js';
import type { Paths } from '../ports/paths.js';
import type { Autonomy } from '../protocol/autonomy.js';

export interface InboxSettings {
  readonly autonomy: Autonomy;
  /** How long a question with a fallback waits for a human. */
  readonly fallbackMs: number;
  /** The user says that no channel reaches a person. */
  readonly isHeadless: boolean;
}

/** To put a question before humans. */
export interface AskHumansPorts extends BasePorts {
  readonly projectId: string;
  /** Known agents in the order of the configuration. */
  readonly agents: readonly string[];
  readonly settings: InboxSettings;
  readonly paths: Paths;
  /** Breaks off waiting for another process that asks about the same issue. */
  readonly signal?: AbortSignal;
}

/** To end a question and carry out what follows from it. */
export interface SettlePorts extends ResolvePorts {
  /** Notes that a question has news for people. Absent if no channel reaches them. */
  readonly noteNews?: (questionId: string) => Promise<void>;
}

/** Everything that the inbox needs from outside. It changes clarifications and has no agent answer: nothing in it routes. */
export interface InboxPorts extends SettlePorts, AskHumansPorts {}
