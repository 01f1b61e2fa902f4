/** Every failure a caller can meet, and how each surface reports it. */
const ERROR_CODES = {
  INVALID_INPUT: { exit: 2, http: 400 },
  CONFIG_ERROR: { exit: 2, http: 400 },
  NOT_FOUND: { exit: 4, http: 404 },
  UNAUTHORIZED: { exit: 1, http: 401 },
  SCOPE_VIOLATION: { exit: 1, http: 403 },
  CONFLICT: { exit: 1, http: 409 },
  INVALID_STATE: { exit: 1, http: 409 },
  MAX_ROUNDS_EXCEEDED: { exit: 1, http: 409 },
  GATE_REFUSED: { exit: 1, http: 422 },
  AGENT_ERROR: { exit: 1, http: 502 },
  LOCK_TIMEOUT: { exit: 1, http: 503 },
  LOCK_LOST: { exit: 1, http: 503 },
  CORRUPT_FILE: { exit: 1, http: 500 },
  STORE_ERROR: { exit: 1, http: 500 },
} as const satisfies Record<string, { exit: number; http: number }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The one error class. The message names the offender and what is allowed; `details` holds the same as data. */
export class AgentXError extends Error {
  override readonly name = 'AgentXError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }

  get httpStatus(): number {
    return ERROR_CODES[this.code].http;
  }

  toJSON(): { code: ErrorCode; message: string; details: Readonly<Record<string, unknown>> } {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** Whether our own store failed: the caller and the agent are not at fault, and the current work stops. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof AgentXError && (error.code === 'STORE_ERROR' || error.code === 'CORRUPT_FILE');
}

/** Whether this project's settings refuse it: the agent did not fail, and asking again would not help. */
export function isRefusedBySettings(error: unknown): boolean {
  return error instanceof AgentXError && (error.code === 'UNAUTHORIZED' || error.code === 'CONFIG_ERROR');
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
