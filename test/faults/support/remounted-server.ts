/**
 * The input of the program `remounted-server`: a folder on a file system of its own, and the command of the built
 * program.
 */
export interface RemountedServerConfig {
  readonly folder: string;
  readonly agentx: readonly [program: string, ...args: string[]];
}

/** The server's answer to a caller, while its disk was in this state. */
export interface RemountedServerReport {
  readonly disk: 'as it was' | 'read-only' | 'writable again' | 'full' | 'with room again';
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  /** How many questions it showed right after. */
  readonly listed: number;
  /** What it said of its own health. */
  readonly health: string;
}
