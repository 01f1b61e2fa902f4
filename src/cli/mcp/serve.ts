import type { App } from '../../app/app.js';
import { MAX_WAIT_SECONDS } from '../../mcp/client-timeout.js';
import { Routes } from '../../mcp/routes.js';
import { serveOverStdio } from '../../mcp/stdio.js';
import { AgentXError, messageOf } from '../../protocol/errors.js';
import { routeLater } from '../ask/route-later.js';
import type { CommandLine } from '../command-line.js';
import { Interrupt } from '../run/interrupt.js';

/** Set by the build. */
declare const AGENTX_VERSION: string;

export interface ServeOptions {
  readonly wait?: string;
}

/** Ends with its client, and nothing that it started stays behind. Stdout belongs to the protocol. */
export async function serve(line: CommandLine, { wait }: ServeOptions): Promise<undefined> {
  const { agent, issue, step, clarification, turn, principal, isHeadless } = line;
  const maxSeconds = wait === undefined ? undefined : parseSeconds(wait);
  let openedApp: App | undefined;
  const app = () => {
    if (openedApp === undefined) {
      openedApp = line.app();
      openedApp.tellNews();
      void openedApp.keepInStep();
    }
    return openedApp;
  };
  // A client does not start us again, so an error of ours must not end us.
  process.on('uncaughtException', (error) =>
    openedApp?.log.error('an error was not caught', { error: messageOf(error) }),
  );
  await serveOverStdio({
    version: AGENTX_VERSION,
    app,
    caller: { agent, issue, step, clarification, turn, principal, isHeadless },
    routes: new Routes((id, onEnd) => routeLater(line, id, onEnd)),
    ...(maxSeconds !== undefined && { maxSeconds }),
    stdin: process.stdin,
    stdout: process.stdout,
    signal: new Interrupt().signal,
  });
  endSoon();
  await openedApp?.close();
  process.exit();
}

const LAST_MS = 3_000;

/** Programs that do not end when they are asked to are killed when this process exits. */
function endSoon(): void {
  setTimeout(() => process.exit(), LAST_MS).unref();
}

function parseSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new AgentXError(
    'INVALID_INPUT',
    `'${text.slice(0, 80)}' is no time to wait. Allowed: 1 to ${MAX_WAIT_SECONDS}.`,
    {
      wait: text,
    },
  );
}
