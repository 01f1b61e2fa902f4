import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { loadSdk } from './load-sdk.js';
import { createServer } from './server.js';
import type { McpOptions } from './serving.js';

export interface McpOverHttp {
  /** Answers one request. The caller has checked the sender. */
  fetch(request: Request, principal: string): Promise<Response>;
  /** Ends the calls that are under way. Their questions stay open. */
  close(): Promise<void>;
}

type HttpOptions = Omit<McpOptions, 'caller'>;

/**
 * Streamable HTTP. Every request is served by itself. Older clients declare their capabilities only when they connect,
 * so no form can be shown to them: they look for the answer later.
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

/** A person started the server, not an agent, and the server cannot see whether a person sits at a client. */
const UNKNOWN = {
  agent: undefined,
  issue: undefined,
  step: undefined,
  clarification: undefined,
  turn: undefined,
  isHeadless: false,
} as const;
