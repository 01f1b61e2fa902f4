import { spawn } from 'node:child_process';
import type { App } from '../../app/app.js';
import { messageOf } from '../../protocol/errors.js';

/**
 * Starts a sync that outlives this command, if there may be something to exchange. A failure shows in the note about
 * the copy, and in agentx doctor.
 */
export async function syncBeside(app: App, cwd: string): Promise<void> {
  try {
    if (!(await app.isSyncDue())) return;
    const words = [...process.execArgv, ...process.argv.slice(1, 2), 'sync', '--beside', '--quiet', '--root', app.root];
    const child = spawn(process.execPath, words, { cwd, detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', ({ message }) => app.log.warn('a sync was not started', { error: message }));
    child.unref();
  } catch (error) {
    app.log.warn('a sync was not started', { error: messageOf(error) });
  }
}
