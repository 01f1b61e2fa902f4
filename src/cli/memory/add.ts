import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { parseCategory } from '../../protocol/observation-filter.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { knownAgent } from '../state/known-agent.js';
import { noteMissingIssue } from '../state/note-missing-issue.js';
import type { TextOf } from '../text.js';

export interface AddOptions {
  readonly agent?: string;
  readonly issue?: string;
  readonly category: string;
}

export async function add(line: CommandLine, options: AddOptions, text: TextOf): Promise<undefined> {
  const { out } = line;
  const category = parseCategory(options.category);
  const name = options.agent ?? line.agent;
  if (name === undefined)
    throw new AgentXError('INVALID_INPUT', 'Who found it out? Add --agent AGENT.', { usage: 'missing agent' });
  const agent = await knownAgent(line, name);
  const issueNumber = parseIssueNumber(options.issue ?? line.issue ?? 0);
  const memory = await line.app().memory();
  const drafts = [{ category, content: await text(line) }];
  const { observations, merged } = await memory.add({ agent, issueNumber, drafts });
  const [observation] = observations;
  if (observation === undefined) return;
  const { id, summary, tokens, count } = observation;
  out.json(observation);
  const times = count === undefined ? '' : `, ${count} times now`;
  const how = merged > 0 ? `${id} says this already${times}` : `${id} is remembered`;
  out.say(`${how}: ${plainLine(summary)} (${tokens} tokens)`);
  await noteMissingIssue(line, issueNumber);
}
