import { once } from 'node:events';
import type { App } from '../../app/app.js';
import { AgentXError } from '../../protocol/errors.js';
import { isLoopback, type Mcp, serve as startServer } from '../../server/serve.js';
import type { CommandLine } from '../command-line.js';
import { Interrupt } from '../run/interrupt.js';

/** Set by the build. */
declare const AGENTX_VERSION: string;

export interface ServeOptions {
  readonly port?: string;
  readonly host: string;
  readonly allowRemote?: boolean;
  readonly allowHost?: readonly string[];
  readonly run?: boolean;
}

export async function serve({ app, out, principal }: CommandLine, options: ServeOptions): Promise<undefined> {
  const { host, allowRemote = false, allowHost = [], run: carriesRunsOn = true } = options;
  if (!isLoopback(host) && !allowRemote) {
    throw new AgentXError(
      'INVALID_INPUT',
      `${host} can be reached by others and this server speaks no TLS. Allowed: 127.0.0.1, localhost, ::1; ` +
        'with TLS in front of it, say --allow-remote.',
      { host },
    );
  }
  const openedApp = app();
  const port = options.port === undefined ? (await openedApp.config()).server.port : parsePort(options.port);
  const server = await startServer({
    app: openedApp,
    host,
    port,
    principal,
    allowedHosts: allowHost,
    carriesRunsOn,
    mcp: mcpWhenUsed(openedApp),
  });
  out.json({ url: `http://${host}:${server.port}`, port: server.port });
  out.note(`Your inbox: ${server.link}`);
  out.note('The link holds the key to it: open it yourself, share it with nobody. Ctrl-C stops.');
  // Listens until everything has stopped: agents' programs pass a signal on to us, which would kill us without a
  // listener.
  const interrupt = new Interrupt();
  await once(interrupt.signal, 'abort');
  await server.close();
  out.note('Stopped.');
  endSoon();
}

/** Loaded with the first request: most servers have no MCP clients, and the page must not wait for it. */
function mcpWhenUsed(app: App): Mcp {
  let loading: Promise<Mcp> | undefined;
  const load = async (): Promise<Mcp> => {
    const [{ mcpOverHttp }, { Routes }] = await Promise.all([
      import('../../mcp/http.js'),
      import('../../mcp/routes.js'),
    ]);
    return mcpOverHttp({ version: AGENTX_VERSION, app: () => app, routes: new Routes() });
  };
  return {
    fetch: async (request, principal) => {
      loading ??= load();
      return (await loading).fetch(request, principal);
    },
    close: async () => (await loading)?.close(),
  };
}

/** An agent that a sweep asked again may take long; stopping a server does not wait for it. */
function endSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new AgentXError('INVALID_INPUT', `'${text.slice(0, 80)}' is no port. Allowed: 0 to 65535.`, { port: text });
}
