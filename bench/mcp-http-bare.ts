import { createAdaptorServer } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The same tool as in mcp-bare.ts over HTTP. It prints where it is. */
const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'bare', version: '1' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
      content: [{ type: 'text', text }],
      structuredContent: { text },
    }));
    return server;
  },
  { legacy: 'stateless' },
);
const server = createAdaptorServer({ fetch: (request) => handler.fetch(request) });
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console.error(`http://127.0.0.1:${port}/#token=none`);
});
