import type { App } from '../../app/app.js';
import { parseClarificationId } from '../../protocol/ids.js';
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
  const patience = setTimeout(() => {
    if (process.stderr.isTTY === true && !line.out.isJson) line.out.note(WAITING);
  }, PATIENCE_MS);
  try {
    const result = await streaming(line, () => work(interrupt.signal));
    const isOpen = result.status === 'pending' || result.status === 'stale';
    if (interrupt.code === undefined || !isOpen) return report(line, result);
    reportOpen(line, result);
    return interrupt.code;
  } finally {
    clearTimeout(patience);
    interrupt.close();
  }
}

/** After this, a person at a terminal wonders what the command waits for. */
const PATIENCE_MS = 5_000;
const WAITING = 'Waiting for the answer. Ctrl-C leaves the question open.';

function reportOpen({ out }: CommandLine, { clarificationId, status, round, record }: HubResult): void {
  out.json({ clarificationId, status, round });
  // The terminal has echoed ^C.
  const start = process.stderr.isTTY === true ? '\n' : '';
  noteOpen(out, record, start);
}

function noteOpen(out: CommandLine['out'], { id, to }: HubResult['record'], start = ''): void {
  out.note(`${start}${id} stays open: ${to} has not answered.`);
  out.note(`See it: agentx clarify show ${id}`);
  out.note(`Ask again: agentx clarify route ${id}`);
}

/** The same as `routeUntil`; if the target cannot be asked, it says how to ask it later. */
export async function routeOrNote(line: CommandLine, id: string, signal: AbortSignal): Promise<HubResult> {
  const { app, out } = line;
  try {
    return await routeUntil(app(), id, signal);
  } catch (error) {
    const record = await app()
      .showClarification(id)
      .catch(() => undefined);
    if (record?.status === 'pending' && !out.isJson) noteOpen(out, record);
    throw error;
  }
}

/** The clarification once its target has answered, or its state when Ctrl-C broke that off. */
export async function routeUntil(app: App, id: string, signal: AbortSignal): Promise<HubResult> {
  try {
    return await app.route(id, signal);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    const record = await app.showClarification(id);
    const { issueNumber } = parseClarificationId(id);
    return { clarificationId: id, issueNumber, status: record.status, round: record.round, record };
  }
}
