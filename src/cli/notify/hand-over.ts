import { spawn } from 'node:child_process';
import { messageOf } from '../../protocol/errors.js';
import type { CommandLine } from '../command-line.js';

/** What is due later than this is left to the next command or server. */
const SOON_MS = 75_000;

/**
 * A command that ends does not wait for a network. If news is due soon and no process tells it, this command starts a
 * process that outlives it. A failure here never becomes a failure of the command.
 */
export async function handOver({ app, cwd }: Pick<CommandLine, 'app' | 'cwd'>): Promise<void> {
  const openedApp = app();
  try {
    const notices = await openedApp.notices();
    if (!(await notices.isDueWithin(SOON_MS)) || (await notices.isTold())) return;
    const program = process.argv.slice(1, 2);
    const words = [...process.execArgv, ...program, 'notify', 'send', '--root', openedApp.root];
    const child = spawn(process.execPath, words, { cwd, detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', (error) =>
      openedApp.log.warn('no process was started to tell the news', { error: messageOf(error) }),
    );
    child.unref();
  } catch (error) {
    openedApp.log.warn('the news was not handed over', { error: messageOf(error) });
  }
}
