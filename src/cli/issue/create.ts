import { suggestion } from '../../protocol/did-you-mean.js';
import { priorityOf, TYPE_LABELS } from '../../protocol/issue.js';
import { issueTitle } from '../../render/issue.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';

export interface CreateOptions {
  readonly title: string;
  readonly body?: string | undefined;
  readonly labels?: readonly string[] | undefined;
}

export async function create(line: CommandLine, { title, body = '', labels = [] }: CreateOptions): Promise<undefined> {
  const { out } = line;
  const issue = await line.app().createIssue({ title, body, labels });
  out.json(issue);
  out.print(issueTitle(issue, out.paint));
  for (const label of issue.labels) {
    const problem = problemOf(label);
    if (problem !== undefined) out.note(`note: The label '${plainLine(label)}' means nothing.${problem}`);
  }
  out.note('See what can be worked on: agentx ready');
}

/** A label that is nearly one with a meaning has none, which nobody would notice. */
function problemOf(label: string): string | undefined {
  if (/^type:/i.test(label) && !TYPE_LABELS.includes(label.toLowerCase())) return suggestion(label, TYPE_LABELS);
  if (/^priority:/i.test(label) && priorityOf({ labels: [label] }) === undefined) {
    return ' Allowed: priority:p0 to priority:p9.';
  }
  return undefined;
}
