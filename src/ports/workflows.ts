import type { Issue } from '../protocol/issue.js';
import type { Workflow } from '../protocol/workflow.js';

/** A workflow with its place in a file, so that a refusal can say where to change it. */
export interface LocatedWorkflow {
  readonly workflow: Workflow;
  /** As people would type it: `.agentx/workflows/feature.toml`. */
  readonly file: string;
  /** The line of a step, or of one of its keys. */
  lineOf(stepId: string, key?: string): number | undefined;
}

export interface Workflows {
  /** The workflow that an issue follows by its type; CONFIG_ERROR if it is missing or wrong. */
  forIssue(issue: Pick<Issue, 'labels'> & { readonly number?: number }): Promise<LocatedWorkflow>;
  /** The one of that name; NOT_FOUND with the existing names. */
  named(name: string): Promise<LocatedWorkflow>;
}
