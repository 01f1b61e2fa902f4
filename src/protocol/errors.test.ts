import { describe, expect, it } from 'vitest';
import { AgentXError, type ErrorCode } from './errors.js';

const table: Record<ErrorCode, readonly [exit: number, http: number]> = {
  INVALID_INPUT: [2, 400],
  CONFIG_ERROR: [2, 400],
  NOT_FOUND: [4, 404],
  UNAUTHORIZED: [1, 401],
  SCOPE_VIOLATION: [1, 403],
  CONFLICT: [1, 409],
  INVALID_STATE: [1, 409],
  MAX_ROUNDS_EXCEEDED: [1, 409],
  GATE_REFUSED: [1, 422],
  AGENT_ERROR: [1, 502],
  LOCK_TIMEOUT: [1, 503],
  LOCK_LOST: [1, 503],
  CORRUPT_FILE: [1, 500],
  STORE_ERROR: [1, 500],
};

function codes(): ErrorCode[] {
  return Object.keys(table).filter((code): code is ErrorCode => code in table);
}

describe('AgentXError', () => {
  it('maps every code to its exit code and HTTP status [CL-3/7]', () => {
    for (const code of codes()) {
      const error = new AgentXError(code, 'message');
      expect([code, error.exitCode, error.httpStatus]).toEqual([code, ...table[code]]);
    }
  });

  it('shows code, message and details as JSON, and keeps its cause', () => {
    const cause = new Error('disk');
    const error = new AgentXError('STORE_ERROR', 'Cannot write.', { path: 'a.json' }, { cause });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'STORE_ERROR',
      message: 'Cannot write.',
      details: { path: 'a.json' },
    });
    expect(error.cause).toBe(cause);
    expect(error).toBeInstanceOf(Error);
  });
});
