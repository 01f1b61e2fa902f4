import { dirname } from 'node:path';
import type { App } from '../../app/app.js';
import { createDemoApp } from '../../app/create-app.js';
import { surroundings } from '../../app/environment.js';
import { AgentXError } from '../../protocol/errors.js';
import { renderDigest } from '../../render/digest.js';
import { serve } from '../../server/serve.js';
import type { CommandLine } from '../command-line.js';
import { Interrupt } from '../run/interrupt.js';
import { Stage } from '../run/stage.js';
import { KEY, play } from './play.js';
import { whatNext } from './what-next.js';

/** People need time to find the page; without an audience the fallback decides soon. */
const WATCHED = { pace: 1, fallbackMinutes: 45 / 60 };
const UNWATCHED = { pace: 0.1, fallbackMinutes: 1 / 60 };

/**
 * A feature from idea to review, with scripted agents in a temporary repository. Everything but their words is real:
 * two runs at once, clarifications, a cycle of agents that wait for each other, the page, and a person who decides.
 */
export async function demo(line: CommandLine): Promise<number> {
  const { out, principal } = line;
  if (out.isJson) throw new AgentXError('INVALID_INPUT', 'agentx demo has no data for programs: leave --json out.');
  const isLive = out.isTerminal && process.stderr.isTTY === true && surroundings().env.TERM !== 'dumb';
  const isWatched = isLive && process.stdin.isTTY === true;
  const app = await createDemoApp(isWatched ? WATCHED : UNWATCHED);
  const interrupt = new Interrupt();
  const server = await serve({ app, host: '127.0.0.1', port: 0, principal });
  out.print(`Your inbox is also a page:\n  ${server.link}\n`);
  const stage = new Stage(
    { ...line, app: () => app },
    {
      isLive,
      asksInPlace: isWatched,
      asks: ({ sourceId }) => sourceId !== KEY.clarificationId,
      page: server.link,
      showsIssue: true,
      interrupt: () => interrupt.hit(),
    },
  );
  try {
    const summary = await play({ app, stage, isWatched, signal: interrupt.signal, line });
    await stage.close();
    if (interrupt.code !== undefined) return leave(line, app, interrupt.code);
    out.print(`\n${summary}`);
    await showDigest(line, app);
    await whatNext(line, app);
    return 0;
  } finally {
    await stage.close();
    await server.close();
    interrupt.close();
  }
}

async function showDigest({ out }: CommandLine, app: App): Promise<void> {
  const { digest } = await app.digest();
  out.print(`\n${renderDigest(digest, { width: out.width, paint: out.paint })}`);
}

function leave({ out }: CommandLine, { root }: App, code: number): number {
  out.note(`Stopped. What there is by now: ${dirname(root)}`);
  return code;
}
