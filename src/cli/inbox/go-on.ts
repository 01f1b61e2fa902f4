import type { App } from '../../app/create-app.js';
import { AgentXError } from '../../protocol/errors.js';
import { streaming } from '../clarify/streaming.js';
import type { CommandLine } from '../command-line.js';

type InboxResult = Awaited<ReturnType<App['answerQuestion']>>;

/** Agents that waited for this answer go on with it now, and whoever gave it sees how. The answer stands if they do not. */
export async function goOn(line: CommandLine, { question }: Pick<InboxResult, 'question'>): Promise<undefined> {
  const app = line.app();
  try {
    for (const id of await app.whoWaitsFor(question.id)) {
      line.out.note(`${id} waited for this: asking once more...`);
      const { status } = await streaming(line, () => app.route(id));
      line.out.note(`${id} is ${status}.`);
    }
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    line.out.warn(error);
  }
}
