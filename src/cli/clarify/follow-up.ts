import { AgentXError } from '../../protocol/errors.js';
import { parseClarificationId } from '../../protocol/ids.js';
import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { errorText } from '../error-text.js';
import { actorOf, report } from './report.js';
import { requireRecord } from './require-record.js';
import { streaming } from './streaming.js';

export interface FollowUpOptions {
  readonly question: string;
  readonly retry: boolean;
}

/** The next round, answered or escalated. After the last round a human has the question, and the exit code says so. */
export async function followUp(line: CommandLine, id: string, { question, retry }: FollowUpOptions) {
  parseClarificationId(id);
  await check(line, { retry });
  const request = { clarificationId: id, question, by: actorOf(line) };
  try {
    return report(line, await streaming(line, () => line.app().followUp(request)));
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'MAX_ROUNDS_EXCEEDED') throw error;
    return reportExceeded(line, id, error);
  }
}

/** The verb has changed the record, so its state is the data; why nobody was asked is the talk. */
async function reportExceeded(line: CommandLine, id: string, error: AgentXError): Promise<number | undefined> {
  const record = await requireRecord(line.app(), id);
  const { issueNumber } = parseClarificationId(id);
  line.out.note(errorText(error, line.out));
  return report(line, { clarificationId: id, issueNumber, status: record.status, round: record.round, record });
}
