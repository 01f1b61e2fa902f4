import type { Issue } from '../protocol/issue.js';
import { fillTemplate, type WorkflowStep } from '../protocol/workflow.js';
import type { RunPorts } from './ports.js';

/** The output that a step declares, if it is missing. */
export async function missingOutput(
  { paths }: Pick<RunPorts, 'paths'>,
  issue: Issue,
  { output }: WorkflowStep,
): Promise<string | undefined> {
  if (output === undefined) return undefined;
  const path = fillTemplate(output, issue);
  return (await paths.exists(path, issue.number)) ? undefined : path;
}
