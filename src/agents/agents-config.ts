import type { AgentPermission } from '../protocol/config.js';
import type { NotifyTable } from '../protocol/notify.js';
import type { Price } from '../protocol/usage.js';

/** The part of config.toml that this room reads. */
export interface AgentsConfig {
  readonly agents: Readonly<Record<string, AgentTable>>;
  /** For a million tokens, by model. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Channels that may start programs, or send questions somewhere. */
  readonly notify?: readonly NotifyTable[];
}

export interface AgentTable {
  readonly runner: string;
  readonly command?: readonly string[] | undefined;
  readonly script?: string | undefined;
  /** Further arguments of an agent's own command line. */
  readonly args?: readonly string[] | undefined;
  readonly permission?: AgentPermission | undefined;
  /** Added to the program's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly model?: string | undefined;
  readonly base_url?: string | undefined;
  /** Commands that a model may run. */
  readonly commands?: readonly (readonly string[])[] | undefined;
  readonly max_steps?: number | undefined;
  readonly max_turn_tokens?: number | undefined;
  /** The size of a model's window. */
  readonly context_tokens?: number | undefined;
}
