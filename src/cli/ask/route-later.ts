import { spawn } from 'node:child_process';
import { AgentXError } from '../../protocol/errors.js';
import type { CommandLine } from '../command-line.js';

/**
 * Starts a process that asks the target, because ours is about to end. It outlives us and our terminal. It inherits our
 * environment, so that it trusts what we trust. If it dies, the monitor asks the target once the record is stale.
 */
export function routeLater({ app, cwd, out }: CommandLine, clarificationId: string, onEnd = () => {}): void {
  const program = process.argv.slice(1, 2);
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...program, 'clarify', 'route', clarificationId, '--root', app().root],
    { cwd, detached: true, stdio: 'ignore', windowsHide: true },
  );
  child.on('error', ({ message }) => {
    const problem = `${clarificationId} is written but its target could not be asked now: ${message}`;
    out.warn(new AgentXError('AGENT_ERROR', problem, { clarificationId }));
    onEnd();
  });
  child.on('exit', onEnd);
  child.unref();
}
