import type { Register } from '../command-line.js';
import { registerInstall } from './register-install.js';

const EXAMPLES = `
Examples:
  agentx mcp install claude              one command, and Claude Code's agent asks; so for eight other clients
  agentx mcp doctor                      see that each client reaches it
  agentx mcp                             what an MCP client starts; it speaks the protocol on stdin and stdout

Who asks is AGENTX_AGENT, and about what AGENTX_ISSUE; else each call says so.`;

export const registerMcp: Register = (program, run) => {
  const mcp = program
    .command('mcp')
    .description('let the agent of an MCP client ask through AgentX')
    .option('--wait <seconds>', 'the longest that a call waits for an answer; by default as long as the client bears')
    .addHelpText('after', EXAMPLES);
  run(mcp, async (line) => (await import('./serve.js')).serve(line, mcp.opts()));
  registerInstall(mcp, run);
};
