import type { ClarificationRecord } from '../../protocol/clarification.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseAgentName, parseIssueNumber } from '../../protocol/ids.js';
import { originInTurn } from '../../protocol/origin.js';
import { renderEntry } from '../../render/conversation.js';
import { interruptible, routeOrNote } from '../clarify/interruptible.js';
import { report } from '../clarify/report.js';
import { streaming } from '../clarify/streaming.js';
import type { CommandLine } from '../command-line.js';
import { requireIssue } from '../issue/require-issue.js';
import { knownAgent } from '../state/known-agent.js';
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
  const { topic, nonBlocking = false } = options;
  // Before any prompt, so that the error about a mistyped name comes alone.
  const issueNumber = issueOf(line, options.issue);
  const from = requesterOf(line, options.from);
  const to = await knownAgent(line, options.to);
  if (issueNumber !== 0) await requireIssue(line, issueNumber);
  const question = await options.text(line);
  const request = {
    issueNumber,
    from,
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
      const result = await line.app().openAsk(request);
      if (result.status === 'pending') return routeOrNote(line, result.clarificationId, signal);
      if (result.status === 'answered') repeat(line, result.record);
      return result;
    });
  }
  const openedAsk = await streaming(line, () => line.app().openAsk(request));
  if (openedAsk.status === 'pending') routeLater(line, openedAsk.clarificationId);
  return report(line, openedAsk);
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
