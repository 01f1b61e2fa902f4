import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { renderIssue } from '../../render/issue.js';
import type { CommandLine } from '../command-line.js';

export async function show(line: CommandLine, number: string): Promise<undefined> {
  const { out } = line;
  const wanted = parseIssueNumber(number);
  const app = line.app();
  const issue = await app.store.issues.read(wanted);
  if (issue === undefined) {
    throw new AgentXError('NOT_FOUND', `There is no issue #${wanted}.`, { issueNumber: wanted });
  }
  out.json(issue);
  const { width, paint } = out;
  out.print(renderIssue(issue, { width, paint, timing: { now: app.clock.now(), isRelative: out.isTerminal } }));
}
