import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Workflows } from '../ports/workflows.js';
import { AgentXError } from '../protocol/errors.js';
import { typeOf } from '../protocol/issue.js';
import { CLOCK_STEP_MS } from '../storage/files/file-system.js';
import { type ParsedWorkflow, parseWorkflow } from '../workflow/parse-workflow.js';
import { SHIPPED_WORKFLOWS } from '../workflow/shipped/workflows.js';
import { readOwnText } from './read-own-text.js';
import { workflowNames } from './workflow-names.js';

export interface WorkflowsOptions {
  /** The `.agentx` folder. */
  readonly root: string;
  /** Every agent that a step may name. */
  readonly agents: readonly string[];
  /** Called once for every text that is read. */
  readonly warn?: (message: string) => void;
}

/** The workflows of a folder, one file for each type of issue; a type without a file follows the shipped one. */
export function openWorkflows({ root, agents, warn }: WorkflowsOptions): Workflows {
  const parsedByName = new Map<string, Parsed>();
  const load = async (name: string): Promise<ParsedWorkflow> => {
    // Checked each time, because another program may have edited it; read and parsed anew only if it changed.
    const earlierParse = parsedByName.get(name);
    const path = join(root, 'workflows', `${name}.toml`);
    const print = printOf(path);
    if (earlierParse !== undefined && print !== undefined && earlierParse.print === print) return earlierParse.workflow;
    const { text, file } = await readText(root, name, path);
    const isSame = earlierParse?.text === text && earlierParse.workflow.file === file;
    const workflow = isSame ? earlierParse.workflow : parseWorkflow(text, file, { agents });
    if (!isSame) for (const warning of workflow.warnings) warn?.(warning);
    parsedByName.set(name, { text, workflow, print });
    return workflow;
  };
  return { forIssue: (issue) => load(typeOf(issue)), named: load };
}

interface Parsed {
  readonly text: string;
  readonly workflow: ParsedWorkflow;
  readonly print: string | undefined;
}

/**
 * Distinguishes one content of a file from another; undefined while the file is so young that a further change might
 * not show.
 */
function printOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return 'no file';
    const { ino, size, mtimeMs, ctimeMs } = stat;
    const isSettled = Math.max(mtimeMs, ctimeMs) < Date.now() - CLOCK_STEP_MS;
    return isSettled ? `${ino} ${size} ${mtimeMs} ${ctimeMs}` : undefined;
  } catch {
    // Reading it reports the error.
    return undefined;
  }
}

async function readText(
  root: string,
  name: string,
  path: string,
): Promise<{ readonly text: string; readonly file: string }> {
  const file = `${basename(root)}/workflows/${name}.toml`;
  // A name that leads out of the folder is refused.
  if (!/^[\w-]+$/.test(name)) throw unknownWorkflow(root, name);
  // Synchronous: the thread pool takes ten times as long as reading a page.
  const text = readOwnText(path);
  if (text !== undefined) return { text, file };
  const shippedText = Object.entries(SHIPPED_WORKFLOWS).find(([type]) => type === name)?.[1];
  if (shippedText !== undefined) return { text: shippedText, file: `${file} (as shipped)` };
  throw unknownWorkflow(root, name);
}

function unknownWorkflow(root: string, name: string): AgentXError {
  const allowed = workflowNames(root);
  return new AgentXError('NOT_FOUND', `There is no workflow '${name}'. Allowed: ${allowed.join(', ')}.`, {
    workflow: name,
    allowed,
  });
}
