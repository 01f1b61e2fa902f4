import { fillTemplate, type WorkflowStep } from '../protocol/workflow.js';
import { type RunContext, readIssue } from './context.js';

/** The output that a step declares, if it is missing. */
export async function missingOutput(context: RunContext, { output }: WorkflowStep): Promise<string | undefined> {
  if (output === undefined) return undefined;
  const path = fillTemplate(output, await readIssue(context));
  return (await context.ports.paths.exists(path, context.issueNumber)) ? undefined : path;
}
