import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { REMOVED } from '../../support/temporary-folder.js';

/** A folder that is gone when the test ends, however it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentx-faults-'));
  onTestFinished(() => rmSync(folder, REMOVED));
  return folder;
}
