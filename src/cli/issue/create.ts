import { suggestion } from '../../protocol/did-you-mean.js';
import { AgentXError } from '../../protocol/errors.js';
import { keptDraftOf } from '../../protocol/github.js';
import { type Issue, priorityOf, TYPE_LABELS } from '../../protocol/issue.js';
import { issueTitle } from '../../render/issue.js';
import { plainLine } from '../../render/plain-text.js';
import { canAsk } from '../can-ask.js';
import type { CommandLine } from '../command-line.js';

export interface CreateOptions {
  /** As a word of its own, and as an option. */
  readonly titles: readonly (string | undefined)[];
  readonly body: (line: CommandLine) => Promise<string | undefined>;
  readonly labels?: readonly string[] | undefined;
}

export async function create(line: CommandLine, options: CreateOptions): Promise<undefined> {
  const { out } = line;
  const { labels = [] } = options;
  const body = (await options.body(line)) ?? '';
  const [firstTitle, otherTitle] = options.titles.filter((title) => title !== undefined);
  if (otherTitle !== undefined) throw new AgentXError('INVALID_INPUT', 'The title is given twice. Say it once.');
  const title = firstTitle ?? (await askTitle(line, labels));
  const issue = await created(line, { title, body, labels });
  if (issue === undefined) return;
  out.json(issue);
  out.print(issueTitle(issue, out.paint));
  for (const label of issue.labels) {
    const problem = problemOf(label);
    if (problem !== undefined) out.note(`note: The label '${plainLine(label)}' means nothing.${problem}`);
  }
  out.note('See what can be worked on: agentx ready');
}

interface Draft {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** Undefined if GitHub cannot create it now. It is kept and will be: the command has done its work. */
async function created({ app, out }: CommandLine, draft: Draft): Promise<Issue | undefined> {
  try {
    return await app().createIssue(draft);
  } catch (error) {
    const id = keptDraftOf(error);
    if (id === undefined || !(error instanceof AgentXError)) throw error;
    const why = String(error.details.why ?? error.message);
    out.json({ number: null, draft: id, ...draft, why });
    out.print(`Kept here: ${plainLine(draft.title.trim())}`);
    out.note(`It has no number yet. ${plainLine(why)} GitHub gets it at the next sync: agentx sync`);
    return undefined;
  }
}

/** If no person can be asked, or a label looks like the title, the command line is wrong. */
async function askTitle(line: CommandLine, labels: readonly string[]): Promise<string> {
  if (canAsk(line.out) && !labels.some((label) => /\s/.test(label.trim())))
    return (await import('../prompt/ask-text.js')).askText(line, 'What is to be done, in one line?');
  const where = labels.length === 0 ? '' : ': --label takes every word behind it. Put the title first';
  throw new AgentXError('INVALID_INPUT', `Missing required argument 'title'${where}. See: agentx issue create --help`);
}

/** A label that only resembles one with a meaning has no effect, which would go unnoticed. */
function problemOf(label: string): string | undefined {
  if (/^type:/i.test(label) && !TYPE_LABELS.includes(label.toLowerCase())) return suggestion(label, TYPE_LABELS);
  if (/^priority:/i.test(label) && priorityOf({ labels: [label] }) === undefined) {
    return ' Allowed: priority:p0 to priority:p9.';
  }
  return undefined;
}
