/*
 * What we use of the MCP SDK. It takes longer to load than most commands may take. So this file is loaded only by
 * `await import('./sdk.js')`, and the build keeps it in a file of its own.
 */
export {
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
