import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

/** A new folder that is removed when the test is over, however it ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentx-test-')));
  // A process killed a moment ago may still write its last, and this process may still create files in its thread pool.
  onTestFinished(() => vi.waitFor(() => rmSync(folder, { recursive: true, force: true }), { timeout: 60_000 }));
  return folder;
}
