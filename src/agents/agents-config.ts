/** The part of config.toml that this room reads. */
export interface AgentsConfig {
  readonly agents: Readonly<Record<string, AgentTable>>;
}

export interface AgentTable {
  readonly runner: string;
  readonly command?: readonly string[] | undefined;
  readonly script?: string | undefined;
  /** Added to the program's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeout_seconds?: number | undefined;
}
