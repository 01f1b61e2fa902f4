import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { loadSdk } from './load-sdk.js';
import { createServer } from './server.js';
import type { McpOptions } from './serving.js';

export interface McpOverHttp {
  /** Answers one request. The caller has checked who sends it. */
  fetch(request: Request, principal: string): Promise<Response>;
  /** Ends the calls that are under way. What they asked stays asked. */
  close(): Promise<void>;
}

type HttpOptions = Omit<McpOptions, 'caller'>;

/**
 * Streamable HTTP. Every request is served by itself, so older clients, which say only when they connect what they can,
 * cannot be asked in place: they look for the answer later.
 */
export async function mcpOverHttp(options: HttpOptions): Promise<McpOverHttp> {
  const sdk = await loadSdk();
  const handler = sdk.createMcpHandler(
    ({ era, authInfo }) =>
      createServer({
        ...options,
        caller: { ...UNKNOWN, principal: authInfo?.clientId ?? 'unknown' },
        sdk,
        isModern: era === 'modern',
        canRequest: false,
      }),
    { legacy: 'stateless', maxRequestBodySize: MAX_REQUEST_BODY_BYTES },
  );
  return {
    fetch: (request, principal) => handler.fetch(request, { authInfo: { token: '', clientId: principal, scopes: [] } }),
    close: () => handler.close(),
  };
}

/** A server was started by a person, not by an agent, and cannot see who sits at a client. */
const UNKNOWN = {
  agent: undefined,
  issue: undefined,
  step: undefined,
  clarification: undefined,
  turn: undefined,
  isHeadless: false,
} as const;
