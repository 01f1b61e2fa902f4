import type { App } from '../../app/app.js';
import type { CommandLine } from '../command-line.js';
import { Interrupt } from '../run/interrupt.js';
import { report } from './report.js';
import { streaming } from './streaming.js';

type HubResult = Awaited<ReturnType<App['route']>>;

/** Has a target answer and shows it. Ctrl-C ends the target, not the clarification, and says how to go on. */
export async function interruptible(
  line: CommandLine,
  work: (signal: AbortSignal) => Promise<HubResult>,
): Promise<number | undefined> {
  const interrupt = new Interrupt();
  try {
    const result = await streaming(line, () => work(interrupt.signal));
    const isOpen = result.status === 'pending' || result.status === 'stale';
    if (interrupt.code === undefined || !isOpen) return report(line, result);
    reportOpen(line, result);
    return interrupt.code;
  } finally {
    interrupt.close();
  }
}

function reportOpen({ out }: CommandLine, { clarificationId, status, round, record }: HubResult): void {
  out.json({ clarificationId, status, round });
  // The terminal has echoed ^C.
  const start = process.stderr.isTTY === true ? '\n' : '';
  out.note(`${start}${clarificationId} stays open: ${record.to} has not answered.`);
  out.note(`See it: agentx clarify show ${clarificationId}`);
  out.note(`Ask again: agentx clarify route ${clarificationId}`);
}
