import { basename, dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createDemoApp } from '../../app/create-app.js';
import { surroundings } from '../../app/environment.js';
import { renderDigest } from '../../render/digest.js';
import { plainLine } from '../../render/plain-text.js';
import { renderSummary } from '../../render/run.js';
import type { CommandLine } from '../command-line.js';
import { Interrupt } from '../run/interrupt.js';
import { Stage } from '../run/stage.js';
import { answerElsewhere } from './answer-elsewhere.js';

/** Both are agreed with the script of the demo's repository. */
const KEY = { clarificationId: 'CLR-1-002', text: 'Yes, for one day. I have told operations.' };
const RETENTION = { clarificationId: 'CLR-1-003', text: '30 days. Compliance wants no more.' };

/**
 * A feature from its idea to its review, with scripted agents in a temporary repository. All between their words is the
 * real thing: two runs at once, clarifications, a circle of agents that wait for each other, and a person who decides.
 */
export async function demo(line: CommandLine): Promise<number> {
  const { out } = line;
  const isLive = out.isTerminal && process.stderr.isTTY === true && surroundings().env.TERM !== 'dumb';
  const isWatched = isLive && process.stdin.isTTY === true;
  const app = await createDemoApp({ pace: isWatched ? 1 : 0.1 });
  const interrupt = new Interrupt();
  const stage = new Stage(
    { ...line, app: () => app },
    {
      isLive,
      asksInPlace: isWatched,
      asks: ({ sourceId }) => sourceId !== KEY.clarificationId,
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
    close(line, app);
    return 0;
  } finally {
    await stage.close();
    interrupt.close();
  }
}

interface Play {
  readonly app: App;
  readonly stage: Stage;
  readonly isWatched: boolean;
  readonly signal: AbortSignal;
  readonly line: CommandLine;
}

async function play({ app, stage, isWatched, signal, line }: Play): Promise<string> {
  await app.createIssue({ title: 'Health endpoint', labels: ['type:feature', 'priority:p1'] });
  await app.createIssue({ title: 'Rotate the API keys', labels: ['type:story', 'priority:p2'] });
  const others: Promise<void>[] = [];
  const beside = (work: () => Promise<unknown>): void => {
    const told = (error: unknown) => {
      if (!signal.aborted) stage.print(`warning: ${plainLine(String(error))}`);
    };
    others.push(work().then(() => {}, told));
  };
  const endKeys = app.bus.on('clarification-answered', ({ clarificationId, round }) => {
    // While the engineer goes on with issue 1, the architect takes up issue 2, and needs the engineer.
    if (clarificationId === 'CLR-1-001' && round === 2) beside(() => app.run({ issueNumber: 2, wait: true, signal }));
  });
  const endAnswers = app.bus.on('notification-added', ({ notification: { id, sourceId } }) => {
    const answer = [KEY, ...(isWatched ? [] : [RETENTION])].find((one) => one.clarificationId === sourceId);
    if (answer === undefined) return;
    const { text } = answer;
    const isBob = answer === KEY;
    beside(async () => {
      await sleep(isWatched ? 2200 : 0, undefined, { signal });
      stage.print(`  (${isBob ? 'bob' : 'you'}, at another terminal:)`);
      stage.print(line.out.paint.quiet(`  $ agentx inbox answer ${id} \\\n      -m "${text}"`));
      await answerElsewhere({ root: app.root, questionId: id, text, who: isBob ? 'bob' : line.principal });
    });
  });
  try {
    const result = await app.run({ issueNumber: 1, wait: true, signal });
    await Promise.all(others);
    return renderSummary(result, line.out);
  } finally {
    endKeys();
    endAnswers();
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

function close({ out }: CommandLine, { root }: App): void {
  // From a clone there is no `agentx` on the path yet.
  const program = process.argv[1] ?? 'agentx';
  const repository = dirname(root);
  const agentx = basename(program) === 'agentx' ? 'agentx' : `node ${relative(process.cwd(), program)}`;
  const there = `--root ${repository}`;
  out.print(`\n${out.paint.name('All of it is on the disk:')} ${repository}`);
  out.print(out.paint.quiet('  docs and src: what they wrote; .agentx/state/clarifications: what they said'));
  out.print(`\n${out.paint.name('What to try next')}`);
  const next = [
    [`${agentx} clarify show CLR-1-003 ${there}`, 'who said what, round by round'],
    [`${agentx} inbox --all ${there}`, 'what people decided'],
    [`${agentx} watch ${there}`, 'a live board, for when several runs are under way'],
    [`${agentx} init`, 'in your own repository, then: agentx run'],
    [`rm -r ${repository}`, 'nothing else was left behind'],
  ] as const;
  for (const [command, what] of next) out.print(`  ${command}\n      ${out.paint.quiet(what)}`);
}
