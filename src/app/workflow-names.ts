import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_WORKFLOWS } from '../workflow/shipped/workflows.js';

/** The workflows of a folder and those that are shipped, by name. */
export function workflowNames(root: string): readonly string[] {
  const own = filesIn(join(root, 'workflows')).flatMap((file) => /^([\w-]+)\.toml$/.exec(file)?.[1] ?? []);
  return [...new Set([...own, ...Object.keys(SHIPPED_WORKFLOWS)])].toSorted();
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Reading a workflow reports the error.
    return [];
  }
}
