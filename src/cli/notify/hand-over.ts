import { spawn } from 'node:child_process';
import { messageOf } from '../../protocol/errors.js';
import type { CommandLine } from '../command-line.js';

/** What is due later than this is left to the next command or server. */
const SOON_MS = 75_000;

/**
 * A command that ends does not wait for a network: where something is to be told soon and no process does it, one is
 * started that outlives us. A failure here never becomes that of the command.
 */
export async function handOver({ app, cwd }: Pick<CommandLine, 'app' | 'cwd'>): Promise<void> {
  const opened = app();
  try {
    const notices = await opened.notices();
    if (!(await notices.isDueWithin(SOON_MS)) || (await notices.isTold())) return;
    const program = process.argv.slice(1, 2);
    const words = [...process.execArgv, ...program, 'notify', 'send', '--root', opened.root];
    const child = spawn(process.execPath, words, { cwd, detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', (error) =>
      opened.log.warn('no process was started to tell the news', { error: messageOf(error) }),
    );
    child.unref();
  } catch (error) {
    opened.log.warn('the news was not handed over', { error: messageOf(error) });
  }
}
