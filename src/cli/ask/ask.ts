import type { ClarificationRecord } from '../../protocol/clarification.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseAgentName, parseIssueNumber } from '../../protocol/ids.js';
import { originInTurn } from '../../protocol/origin.js';
import { renderEntry } from '../../render/conversation.js';
import { interruptible, routeUntil } from '../clarify/interruptible.js';
import { report } from '../clarify/report.js';
import { streaming } from '../clarify/streaming.js';
import type { CommandLine } from '../command-line.js';
import type { TextOf } from '../text.js';
import { approvesPrograms } from '../trust/in-place.js';
import { routeLater } from './route-later.js';

const NOT_APPROVED = 1;

export interface AskedBy {
  readonly issue?: string;
  readonly from?: string;
  readonly to: string;
  readonly topic: string;
  readonly nonBlocking?: boolean;
}

export interface AskOptions extends AskedBy {
  readonly text: TextOf;
}

export async function ask(line: CommandLine, options: AskOptions): Promise<number | undefined> {
  const { to, topic, nonBlocking = false } = options;
  const question = await options.text(line);
  const issueNumber = issueOf(line, options.issue);
  const request = {
    issueNumber,
    from: requesterOf(line, options.from),
    to,
    topic,
    question,
    blocking: !nonBlocking,
    ...(line.step === undefined || line.issue !== String(issueNumber) ? {} : { stepId: line.step }),
    ...(line.clarification === undefined ? {} : { within: line.clarification }),
    ...(line.turn === undefined ? {} : { origin: originInTurn(line.turn, [to, topic, question, String(nonBlocking)]) }),
  };
  if (!(await approvesPrograms(line))) return NOT_APPROVED;
  if (!nonBlocking) {
    return interruptible(line, async (signal) => {
      const opened = await line.app().openAsk(request);
      if (opened.status === 'pending') return routeUntil(line.app(), opened.clarificationId, signal);
      if (opened.status === 'answered') repeat(line, opened.record);
      return opened;
    });
  }
  const opened = await streaming(line, () => line.app().openAsk(request));
  if (opened.status === 'pending') routeLater(line, opened.clarificationId);
  return report(line, opened);
}

/** The same question of a repeated turn: the agent gets the answer that it got the first time. */
function repeat({ out }: CommandLine, record: ClarificationRecord): void {
  for (const entry of record.thread) out.print(renderEntry(record, entry, { paint: out.paint }));
}

function issueOf({ issue: own }: CommandLine, issue = own): number {
  if (issue !== undefined) return parseIssueNumber(issue);
  throw new AgentXError(
    'INVALID_INPUT',
    "The option '--issue <number>' is missing: which issue is it about? 0 for none.",
  );
}

/** An agent asks in its own name. */
function requesterOf({ agent }: CommandLine, from = agent): string {
  if (from === undefined) throw new AgentXError('INVALID_INPUT', "The option '--from <agent>' is missing: who asks?");
  const requester = parseAgentName(from);
  if (agent === undefined || requester === parseAgentName(agent)) return requester;
  throw new AgentXError('UNAUTHORIZED', `Agent '${agent}' may not ask in the name of '${requester}'.`, {
    agent,
    from: requester,
  });
}
