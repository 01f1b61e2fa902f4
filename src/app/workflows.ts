import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Workflows } from '../ports/workflows.js';
import { type IssueType, typeOf } from '../protocol/issue.js';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';
import { type ParsedWorkflow, parseWorkflow } from '../workflow/parse-workflow.js';
import { SHIPPED_WORKFLOWS } from '../workflow/shipped/workflows.js';

export interface WorkflowsOptions {
  /** The `.agentx` folder. */
  readonly root: string;
  /** Every agent that a step may name. */
  readonly agents: readonly string[];
  /** Told once for every text that is read. */
  readonly warn?: (message: string) => void;
}

/** The workflows of a folder, one file for each type of issue; a type without a file follows the shipped one. */
export function openWorkflows({ root, agents, warn }: WorkflowsOptions): Workflows {
  const parsed = new Map<IssueType, { readonly text: string; readonly workflow: ParsedWorkflow }>();
  return {
    async forIssue(issue) {
      const type = typeOf(issue);
      const { text, file } = await readText(root, type);
      // Read anew each time, because another program may have edited it; parsed anew only if it did.
      const known = parsed.get(type);
      if (known?.text === text && known.workflow.file === file) return known.workflow;
      const workflow = parseWorkflow(text, file, { agents });
      for (const warning of workflow.warnings) warn?.(warning);
      parsed.set(type, { text, workflow });
      return workflow;
    },
  };
}

async function readText(root: string, type: IssueType): Promise<{ readonly text: string; readonly file: string }> {
  const path = join(root, 'workflows', `${type}.toml`);
  const file = `${basename(root)}/workflows/${type}.toml`;
  try {
    return { text: await readFile(path, 'utf8'), file };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { text: SHIPPED_WORKFLOWS[type], file: `${file} (as shipped)` };
    throw asStoreError('read', path, error);
  }
}
