import {
  type CallToolResult,
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { agentxCommand, agentxEnvironment } from './agentx.js';

/** The two kinds of client: those that say who they are when they connect, and those that say it in each request. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];

export interface Connecting {
  readonly revision?: Revision;
  /** What the client calls itself. */
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of `agentx mcp`. */
  readonly options?: readonly string[];
  /** The person at the client; without it the client cannot ask one. */
  readonly person?: (form: ElicitRequestFormParams) => Promise<ElicitResult>;
}

/** The SDK's own client. */
function aClient({ revision = '2025-11-25', name = 'test-client', person }: Connecting = {}): Client {
  const client = new Client(
    { name, version: '1.0.0' },
    {
      ...(revision === '2026-07-28' && { versionNegotiation: { mode: { pin: revision } } }),
      ...(person !== undefined && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode === 'url') throw new Error('no form');
      return person(params);
    });
  }
  onTestFinished(() => client.close());
  return client;
}

/** A client with `agentx mcp` of the built program as its server. */
export async function connect(cwd: string, connecting: Connecting = {}): Promise<Client> {
  const { env, options = [] } = connecting;
  const client = aClient(connecting);
  const [command, ...args] = agentxCommand;
  const environment = Object.fromEntries(
    Object.entries(agentxEnvironment(env)).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const transport = new StdioClientTransport({ command, args: [...args, 'mcp', ...options], cwd, env: environment });
  await client.connect(transport);
  return client;
}

/** A client of `agentx serve`. */
export async function connectTo(
  { url, token }: { readonly url: string; readonly token: string },
  connecting: Connecting = {},
): Promise<Client> {
  const client = aClient(connecting);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
}

export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Record<string, unknown>;
}

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
  return resultOf(await client.callTool({ name, arguments: args }));
}

export function resultOf({ isError = false, content, structuredContent }: CallToolResult): ToolResult {
  const [first] = content;
  const data = structuredContent;
  if (first?.type !== 'text' || typeof data !== 'object' || data === null) throw new Error('no text, or no data');
  return { isError, text: first.text, data: { ...data } };
}
