import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { agentxCommand, agentxEnvironment } from './agentx.js';

export interface Raw {
  readonly child: ChildProcessWithoutNullStreams;
  /** What came on stdout, line by line. */
  readonly lines: string[];
  send(message: unknown): void;
  readonly ended: Promise<unknown>;
}

/** `agentx mcp` without a client that knows the protocol. */
export function raw(cwd: string, options: readonly string[] = []): Raw {
  const [node, program] = agentxCommand;
  const child = spawn(node, [program, 'mcp', ...options], { cwd, env: agentxEnvironment() });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  const send = (message: unknown) =>
    child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  return { child, lines, send, ended };
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
export const callOf = (id: unknown, name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
