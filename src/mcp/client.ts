import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

/** What a client says of itself: in each request since 2026-07-28, before that once, when it connects. */
export interface Client {
  readonly name: string | undefined;
  /** Whether it can show a form to the person who uses it. */
  readonly canAsk: boolean;
  /** Whether it accepts a task instead of a result, and polls the task by itself. */
  readonly hasTasks: boolean;
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const TASKS = 'io.modelcontextprotocol/tasks';

const Information = z.looseObject({ name: z.string() });
const Elicitation = z.looseObject({ form: z.optional(z.unknown()), url: z.optional(z.unknown()) });
const Capabilities = z.looseObject({
  elicitation: z.optional(Elicitation),
  extensions: z.optional(z.looseObject({ [TASKS]: z.optional(z.looseObject({})) })),
});

export function clientOf({ server }: Pick<McpServer, 'server'>, { mcpReq }: ServerContext): Client {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const info = z.safeParse(Information, envelope[CLIENT_INFO] ?? server.getClientVersion());
  const capabilities = z.safeParse(Capabilities, envelope[CAPABILITIES] ?? server.getClientCapabilities());
  const elicitation = capabilities.data?.elicitation;
  return {
    name: info.data?.name,
    // Before there were several modes, an empty object meant a form.
    canAsk: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    hasTasks: capabilities.data?.extensions?.[TASKS] !== undefined,
  };
}
