import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CLOCK_STEP_MS } from './file-system.js';
import { layoutOf } from './layout.js';

/** When GitHub was last asked, by any process. */
export function checkedAt(root: string): string | undefined {
  const stat = statSync(join(layoutOf(root).github, 'checked'), { throwIfNoEntry: false });
  return stat?.mtime.toISOString();
}

/** Whether a record was written after that. Writing a document changes its folder, so that no document is looked at. */
export function isWrittenSince(root: string, at: string): boolean {
  const { ledgers, questions, assumptions, issues } = layoutOf(root);
  const since = Date.parse(at) - CLOCK_STEP_MS;
  return [ledgers, questions, assumptions, issues].some(
    (folder) => (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > since,
  );
}
