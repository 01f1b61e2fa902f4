import { parseIssueNumber } from '../../protocol/ids.js';
import type { CommandLine } from '../command-line.js';
import { knownAgent } from './known-agent.js';
import { noteMissingIssue } from './note-missing-issue.js';

export interface SetOptions {
  readonly agent: string;
  readonly status: string;
  readonly issue?: string | undefined;
}

export async function set(line: CommandLine, { agent: name, status, issue }: SetOptions): Promise<undefined> {
  const { out } = line;
  const number = issue === undefined ? undefined : parseIssueNumber(issue);
  const agent = await knownAgent(line, name);
  const place = number === undefined ? {} : { issue: number };
  const entry = await line.app().setStatus({ agent, status, ...place });
  out.json(entry);
  out.print(`${out.paint.name(agent)} is ${entry.status}${entry.issue === null ? '' : ` on #${entry.issue}`}.`);
  await noteMissingIssue(line, number);
}
