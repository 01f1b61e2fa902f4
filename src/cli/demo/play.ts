import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app/app.js';
import { plainLine } from '../../render/plain-text.js';
import { renderSummary } from '../../render/run.js';
import type { CommandLine } from '../command-line.js';
import type { Stage } from '../run/stage.js';
import { answerElsewhere } from './answer-elsewhere.js';

/** Both agree with the script of the demo's repository. */
export const KEY = { clarificationId: 'CLR-1-002', text: 'Yes, for one day. I have told operations.' };
const RETENTION = { clarificationId: 'CLR-1-003', text: '30 days. Compliance wants no more.' };

export interface Play {
  readonly app: App;
  readonly stage: Stage;
  readonly isWatched: boolean;
  readonly signal: AbortSignal;
  readonly line: CommandLine;
}

/** Two runs at once, a colleague who answers one question, and the viewer for the others. Returns how it ended. */
export async function play({ app, stage, isWatched, signal, line }: Play): Promise<string> {
  await app.createIssue({ title: 'Health endpoint', labels: ['type:feature', 'priority:p1'] });
  await app.createIssue({ title: 'Rotate the API keys', labels: ['type:story', 'priority:p2'] });
  const others: Promise<void>[] = [];
  const beside = (work: () => Promise<unknown>): void => {
    const report = (error: unknown) => {
      if (!signal.aborted) stage.print(`warning: ${plainLine(String(error))}`);
    };
    others.push(work().then(() => {}, report));
  };
  const endKeys = app.bus.on('clarification-answered', ({ clarificationId, round }) => {
    // While the engineer goes on with issue 1, the architect starts issue 2 and needs the engineer.
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
