import type { CommandLine } from '../command-line.js';

/**
 * A status may belong to an issue that is kept elsewhere. Mostly its number is a typing error, which would go
 * unnoticed.
 */
export async function noteMissingIssue({ app, out }: CommandLine, issue: number | undefined): Promise<void> {
  if (issue === undefined || issue === 0 || (await app().issue(issue)) !== undefined) return;
  out.note(`note: There is no issue #${issue} here. See what there is: agentx issue list --all`);
}
