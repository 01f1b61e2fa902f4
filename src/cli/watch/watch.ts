import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app/app.js';
import { canGoOn } from '../../protocol/awaiting.js';
import { type AgentXError, messageOf } from '../../protocol/errors.js';
import { isFinished } from '../../protocol/run.js';
import { renderWatch, type WatchedState } from '../../render/watch.js';
import { viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { Keyboard } from '../prompt/keyboard.js';
import { Interrupt } from '../run/interrupt.js';
import { terminalOf } from '../run/live-screen.js';
import { Display } from './display.js';

const LOOK_MS = 1000;

export async function watch(line: CommandLine): Promise<number | undefined> {
  const { out } = line;
  if (!out.isJson && out.isTerminal && process.stdin.isTTY === true) return watchLive(line);
  const state = await look(line.app());
  out.json(state);
  const unlimited = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  out.print(renderWatch(state, { ...viewOf(line), ...unlimited }).join('\n'));
}

async function watchLive(line: CommandLine): Promise<number> {
  const interrupt = new Interrupt();
  const quit = new AbortController();
  const end = AbortSignal.any([interrupt.signal, quit.signal]);
  const display = new Display(terminal);
  const keyboard = new Keyboard(process.stdin, terminal.write, ({ name, isCtrl }) => {
    if (isCtrl && name === 'c') interrupt.hit();
    if (name === 'q' || name === 'escape') quit.abort();
  });
  const close = () => {
    keyboard.close();
    display.close();
  };
  // However the process ends, the terminal is restored.
  process.once('exit', close);
  try {
    await redrawUntil(line, display, end);
    return interrupt.code ?? 0;
  } finally {
    process.off('exit', close);
    close();
    interrupt.close();
  }
}

async function redrawUntil(line: CommandLine, display: Display, end: AbortSignal): Promise<void> {
  let state: WatchedState | undefined;
  const freedIds = new Set<string>();
  const draw = () => {
    if (state === undefined) return;
    const { columns, rows: height } = terminal;
    // In the last column a terminal is about to wrap, and clearing the rest of the line would clear that column.
    display.show(renderWatch(state, { ...viewOf(line), isRelative: true, width: columns - 1, height }));
  };
  process.stdout.on('resize', draw);
  try {
    while (!end.aborted) {
      state = await look(line.app(), freedIds);
      draw();
      await sleep(LOOK_MS, undefined, { signal: end }).catch(() => {});
    }
  } finally {
    process.stdout.off('resize', draw);
  }
}

/**
 * The current state. What cannot be read is listed as a problem and hides nothing else. `freedIds` keeps, from look to
 * look, the clarifications that a fallback let go: no process asks their targets until a command does.
 */
async function look(app: App, freedIds = new Set<string>()): Promise<WatchedState> {
  const problems: string[] = [];
  const attempt = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      problems.push(messageOf(error));
      return otherwise;
    }
  };
  // Looking takes the fallbacks that are due; otherwise the board would say "now" for ever.
  for (const { id } of await attempt(() => app.completeInbox(), [])) {
    for (const clarificationId of await attempt(() => app.whoWaitsFor(id), [])) freedIds.add(clarificationId);
  }
  const emptyList = { items: [], damaged: [] };
  const [project, { agents, damaged: unread }, runs, endedRuns, active, questions, queue] = await Promise.all([
    attempt(async () => (await app.config()).project, ''),
    attempt(() => app.whoIsAtWhat(), { agents: {}, damaged: [] }),
    attempt(() => app.unfinishedRuns(), emptyList),
    attempt(async () => (await app.runs()).items.filter(isFinished).length, 0),
    attempt(() => app.clarifications('active'), emptyList),
    attempt(async () => (await app.questions('open')).items, []),
    attempt(() => app.readyQueue(), { ready: [], blocked: [], damaged: [] }),
  ]);
  const freedRecords = active.items.filter(({ id, status }) => status === 'pending' && freedIds.has(id));
  const damaged: readonly AgentXError[] = [...unread, ...runs.damaged, ...queue.damaged];
  return {
    project,
    agents,
    runs: runs.items,
    endedRuns,
    clarifications: active.items,
    questions,
    ready: queue.ready.length,
    blocked: queue.blocked.length,
    problems: [
      ...new Set([...problems, ...damaged.map(({ message }) => message), ...freedRecords.map(({ id }) => canGoOn(id))]),
    ],
  };
}

const terminal = terminalOf(process.stdout);
