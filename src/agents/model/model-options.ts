import type { Files } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';
import type { Recall } from '../../ports/recall.js';
import type { Price } from '../../protocol/usage.js';
import type { Speak } from './speak.js';

export interface ModelRunnerOptions {
  /** `openai/gpt-5`. */
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which it works. */
  readonly cwd: string;
  /** The `.agentx` folder, for commands that call `agentx` themselves. */
  readonly root: string;
  readonly files: Files;
  readonly memory?: Recall | undefined;
  readonly log?: Log | undefined;
  /** Commands that the user allows this agent. */
  readonly commands?: readonly (readonly string[])[] | undefined;
  readonly price?: Price | undefined;
  readonly timeoutSeconds: number;
  readonly window: number;
  readonly maxSteps?: number | undefined;
  readonly maxTurnTokens?: number | undefined;
  readonly retryMs?: number;
  /** Instead of the provider, for tests. */
  readonly speak?: Speak;
}
