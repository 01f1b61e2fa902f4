import { AgentXError } from '../protocol/errors.js';
import type { Sdk } from './load-sdk.js';

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** For prompts and resources: unlike tools, they have no result that could hold an error. */
export async function inProtocol<T>({ ProtocolError }: Sdk, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    const { code, message, details } = error;
    const isTheirs = code === 'NOT_FOUND' || code === 'INVALID_INPUT';
    throw new ProtocolError(isTheirs ? INVALID_PARAMS : INTERNAL_ERROR, `${code}: ${message}`, { code, details });
  }
}
