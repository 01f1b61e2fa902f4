import { AgentXError } from '../../protocol/errors.js';
import type { Question } from '../../protocol/question.js';
import { routeUntil } from '../clarify/interruptible.js';
import { streaming } from '../clarify/streaming.js';
import type { CommandLine } from '../command-line.js';
import { Interrupt } from '../run/interrupt.js';

/**
 * Lets agents that waited for this answer go on, and shows how. The answer stands even if they fail or Ctrl-C ends
 * them.
 */
export async function goOn(
  line: CommandLine,
  { question }: { readonly question: Pick<Question, 'id'> },
): Promise<number | undefined> {
  const { out } = line;
  const app = line.app();
  const interrupt = new Interrupt();
  try {
    const waitingIds = await app.whoWaitsFor(question.id);
    for (const [index, id] of waitingIds.entries()) {
      out.note(`${id} waited for this: asking once more...`);
      const { status } = await streaming(line, () => routeUntil(app, id, interrupt.signal));
      out.note(`${id} is ${status}.`);
      if (interrupt.code === undefined) continue;
      const isAsked = status === 'pending' || status === 'stale';
      for (const clarification of waitingIds.slice(isAsked ? index : index + 1))
        out.note(`Ask again: agentx clarify route ${clarification}`);
      break;
    }
    await noteRun(line, question.id);
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    out.warn(error);
  } finally {
    interrupt.close();
  }
  return interrupt.code;
}

/** Names the command for a run that waited for this question. A server goes on with it by itself. */
async function noteRun({ app, out }: CommandLine, questionId: string): Promise<void> {
  if (app().pageUrl() !== undefined) return;
  const { items } = await app().unfinishedRuns();
  const run = items.find(({ ended }) => ended.includes(questionId));
  if (run?.goOn !== undefined) out.note(`The run can go on: ${run.goOn}`);
}
