/** What the program `remounted-server` is told: a folder on a file system of its own, and what starts the built program. */
export interface RemountedServerConfig {
  readonly folder: string;
  readonly agentx: readonly [program: string, ...args: string[]];
}

/** What a caller of the server was answered, while its disk was in this state. */
export interface RemountedServerReport {
  readonly disk: 'as it was' | 'read-only' | 'writable again';
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  /** How many questions it showed right after. */
  readonly listed: number;
}
