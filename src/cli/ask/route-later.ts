import { spawn } from 'node:child_process';
import { AgentXError } from '../../protocol/errors.js';
import type { CommandLine } from '../command-line.js';

/**
 * Has a process of its own ask the target, because ours is about to end: it outlives us and our terminal, and gets our
 * environment, so that trust holds for it as for us. If it dies, the target is asked when the record is stale.
 */
export function routeLater({ app, cwd, out }: CommandLine, clarificationId: string): void {
  const program = process.argv.slice(1, 2);
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...program, 'clarify', 'route', clarificationId, '--root', app().root],
    { cwd, detached: true, stdio: 'ignore', windowsHide: true },
  );
  child.on('error', ({ message }) => {
    const problem = `${clarificationId} is written but its target could not be asked now: ${message}`;
    out.warn(new AgentXError('AGENT_ERROR', problem, { clarificationId }));
  });
  child.unref();
}
