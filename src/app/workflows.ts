import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Workflows } from '../ports/workflows.js';
import { AgentXError } from '../protocol/errors.js';
import { typeOf } from '../protocol/issue.js';
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
  const parsed = new Map<string, { readonly text: string; readonly workflow: ParsedWorkflow }>();
  const load = async (name: string): Promise<ParsedWorkflow> => {
    const { text, file } = await readText(root, name);
    // Read anew each time, because another program may have edited it; parsed anew only if it did.
    const known = parsed.get(name);
    if (known?.text === text && known.workflow.file === file) return known.workflow;
    const workflow = parseWorkflow(text, file, { agents });
    for (const warning of workflow.warnings) warn?.(warning);
    parsed.set(name, { text, workflow });
    return workflow;
  };
  return { forIssue: (issue) => load(typeOf(issue)), named: load };
}

async function readText(root: string, name: string): Promise<{ readonly text: string; readonly file: string }> {
  const path = join(root, 'workflows', `${name}.toml`);
  const file = `${basename(root)}/workflows/${name}.toml`;
  // A name that leads out of the folder is none of ours.
  if (!/^[\w-]+$/.test(name)) throw await unknownWorkflow(root, name);
  try {
    // In place: a trip through the thread pool takes ten times as long as reading a page.
    return { text: readFileSync(path, 'utf8'), file };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asStoreError('read', path, error);
    const shipped = Object.entries(SHIPPED_WORKFLOWS).find(([type]) => type === name)?.[1];
    if (shipped !== undefined) return { text: shipped, file: `${file} (as shipped)` };
    throw await unknownWorkflow(root, name);
  }
}

async function unknownWorkflow(root: string, name: string): Promise<AgentXError> {
  const files = await readdir(join(root, 'workflows')).catch(() => []);
  const own = files.flatMap((file) => /^([\w-]+)\.toml$/.exec(file)?.[1] ?? []);
  const allowed = [...new Set([...own, ...Object.keys(SHIPPED_WORKFLOWS)])].toSorted();
  return new AgentXError('NOT_FOUND', `There is no workflow '${name}'. Allowed: ${allowed.join(', ')}.`, {
    workflow: name,
    allowed,
  });
}
