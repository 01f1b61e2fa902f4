import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { plainText } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { knownAgent } from '../state/known-agent.js';

export interface RecallOptions {
  readonly agent?: string;
  readonly issue?: string;
}

export async function recall(line: CommandLine, words: readonly string[], options: RecallOptions): Promise<undefined> {
  const { out } = line;
  const name = options.agent ?? line.agent;
  if (name === undefined)
    throw new AgentXError('INVALID_INPUT', 'For whom? Add --agent AGENT.', { usage: 'missing agent' });
  const agent = await knownAgent(line, name);
  const issueNumber = parseIssueNumber(options.issue ?? line.issue ?? 0);
  const result = await recallFor(line, { agent, issueNumber, query: words.join(' ') });
  out.json(result);
  if (result.section === '') out.sayNone('Nothing is recalled.');
  else out.print(plainText(result.section));
}

interface RecallFor {
  readonly agent: string;
  readonly issueNumber: number;
  readonly query?: string;
  /** The ids of observations that the session has already. */
  readonly known?: ReadonlySet<string> | undefined;
}

/** What the agent is told when it starts on the issue. */
export async function recallFor({ app, out }: CommandLine, { agent, issueNumber, query = '', known }: RecallFor) {
  const memory = await app().memory();
  const issue = query === '' ? await app().issue(issueNumber) : undefined;
  const about = query || (issue === undefined ? '' : `${issue.title}\n${issue.body}`);
  const {
    section,
    observations,
    tokens,
    damaged = [],
  } = await memory.recall({ agent, issueNumber, query: about, known });
  for (const error of damaged) out.warn(error);
  return { section, tokens, observations };
}
