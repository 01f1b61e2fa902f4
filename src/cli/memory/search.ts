import { agentNamesOf } from '../../protocol/config.js';
import { suggestion } from '../../protocol/did-you-mean.js';
import { parseAgentName, parseIssueNumber } from '../../protocol/ids.js';
import { shellWord } from '../../protocol/shell-word.js';
import { renderObservations } from '../../render/memory.js';
import { plainLine } from '../../render/plain-text.js';
import { viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { limitOf } from './limit.js';

export interface SearchOptions {
  readonly agent?: string;
  readonly issue?: string;
  readonly category?: string;
  readonly since?: string;
  readonly until?: string;
  readonly archived?: boolean;
  readonly limit: string;
}

export async function search(line: CommandLine, words: readonly string[], options: SearchOptions): Promise<undefined> {
  const { out } = line;
  const { category, since, until, archived, limit } = options;
  const query = words.join(' ');
  const agent = options.agent === undefined ? undefined : parseAgentName(options.agent);
  const issueNumber = options.issue === undefined ? undefined : parseIssueNumber(options.issue);
  const memory = await line.app().memory();
  const filters = { query, agent, issueNumber, category, since, until, archived, limit: limitOf(limit, { from: 1 }) };
  const { items, total, didYouMean, damaged } = await memory.search(filters);
  for (const error of damaged) out.warn(error);
  const results = items.map(({ text, ...item }) => ({ ...item, ...(text !== undefined && { snippet: text }) }));
  out.json({ results, total, ...(didYouMean !== undefined && { didYouMean }) });
  if (items.length > 0) out.print(renderObservations(items, viewOf(line)));
  else out.sayNone(query === '' ? 'Nothing is remembered.' : `Nothing is remembered about "${plainLine(query)}".`);
  if (didYouMean !== undefined) out.note(`Did you mean: agentx memory search ${hinted(didYouMean)}`);
  if (total > items.length) out.note(`${total - items.length} more: --limit ${Math.min(total, 1000)}`);
  if (total === 0 && agent !== undefined) await noteUnknownAgent(line, agent);
}

/** Its words as they are, unless a shell would take one of them for something else. */
function hinted(query: string): string {
  const words = plainLine(query).split(' ');
  return words.every((word) => shellWord(word) === word) ? words.join(' ') : shellWord(plainLine(query));
}

/** An agent that has left the configuration may still be remembered. */
async function noteUnknownAgent({ app, out }: CommandLine, agent: string): Promise<void> {
  const [config, { byAgent }] = await Promise.all([
    app().config(),
    app()
      .memory()
      .then((memory) => memory.stats()),
  ]);
  const agents = [...new Set([...agentNamesOf(config), ...Object.keys(byAgent)])];
  if (!agents.includes(agent)) out.note(`note: There is no agent '${agent}'.${suggestion(agent, agents)}`);
}
