import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A process that was killed a moment ago may still write its last while the folder is removed. */
export const REMOVED = { recursive: true, force: true, maxRetries: 20, retryDelay: 25 } as const;

/** A new folder that is gone when the test is over, however it ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentx-test-')));
  onTestFinished(() => rmSync(folder, REMOVED));
  return folder;
}
