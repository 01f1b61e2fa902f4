import type { EditorModels } from '../agents/model/editor-models.js';
import type { BasePorts } from '../hub/ports.js';
import type { RunnerFunction } from '../ports/runner.js';
import type { OuterSettings } from './config.js';
import type { GitHubMode } from './github.js';

/** What an app stands on. */
export interface Foundation {
  /** The `.agentx` folder, from the root of the disk. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly runners: Readonly<Record<string, RunnerFunction>>;
  readonly editor?: EditorModels | undefined;
  readonly outer?: OuterSettings | undefined;
  /** The text of config.toml, read once. */
  readonly settingsText: () => string;
  readonly base: BasePorts;
  /** Only in GitHub mode. */
  readonly github?: (() => Promise<GitHubMode>) | undefined;
  /** Closes what was opened for this app alone. */
  readonly close: () => Promise<void>;
}
