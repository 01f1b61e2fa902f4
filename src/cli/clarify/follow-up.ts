import { AgentXError } from '../../protocol/errors.js';
import { parseClarificationId } from '../../protocol/ids.js';
import { originInTurn } from '../../protocol/origin.js';
import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { errorText } from '../error-text.js';
import { errorWidth } from '../output.js';
import type { TextOf } from '../text.js';
import { approvesPrograms } from '../trust/in-place.js';
import { interruptible, routeOrNote } from './interruptible.js';
import { actorOf, report } from './report.js';

const NOT_APPROVED = 1;

export interface FollowUpOptions {
  readonly text: TextOf;
  readonly retry: boolean;
}

/**
 * The next round, answered or escalated. After the last round the question goes to a human, and the exit code says so.
 */
export async function followUp(line: CommandLine, typedId: string, { text, retry }: FollowUpOptions) {
  const id = await line.app().findId('clarification', typedId);
  const question = await text(line);
  if (!(await approvesPrograms(line))) return NOT_APPROVED;
  await check(line, { retry });
  const cause = line.turn === undefined ? {} : { origin: originInTurn(line.turn, [id, question]) };
  const request = { clarificationId: id, question, ...actorOf(line), ...cause };
  const app = line.app();
  try {
    return await interruptible(line, async (signal) => {
      const openedRound = await app.openFollowUp(request);
      return openedRound.status === 'pending' ? routeOrNote(line, id, signal) : openedRound;
    });
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'MAX_ROUNDS_EXCEEDED') throw error;
    return reportExceeded(line, id, error);
  }
}

/** The verb has changed the record, so its state is the data. Why the target was not asked is a note. */
async function reportExceeded(line: CommandLine, id: string, error: AgentXError): Promise<number | undefined> {
  const record = await line.app().showClarification(id);
  const { issueNumber } = parseClarificationId(id);
  line.out.note(errorText(error, { isJson: line.out.isJson, width: errorWidth() }));
  return report(line, { clarificationId: id, issueNumber, status: record.status, round: record.round, record });
}
