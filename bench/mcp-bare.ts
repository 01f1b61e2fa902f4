import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** The least that a server does: one tool that says back what it hears. */
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
    content: [{ type: 'text', text }],
    structuredContent: { text },
  }));
  return server;
});
