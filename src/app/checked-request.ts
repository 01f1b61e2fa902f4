import { AgentXError } from '../protocol/errors.js';

/** For callers in plain JavaScript: INVALID_INPUT instead of a TypeError somewhere within. */
export function checkedRequest<T>(request: T): T {
  if (typeof request === 'object' && request !== null) return request;
  throw new AgentXError(
    'INVALID_INPUT',
    'The request is missing. It is an object, with the fields that its type names.',
  );
}
