import { issueTitle } from '../../render/issue.js';
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
  out.note('See what can be worked on: agentx ready');
}
