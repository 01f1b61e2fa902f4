import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

/** A new folder that is removed when the process ends, however it ends short of kill -9. */
export function makeWorkFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'agentx-bench-'));
  folders.add(folder);
  return folder;
}

/** A folder in memory if the system offers one, so that writing costs no disk. */
export function memoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

export const diskFolder = (): string => tmpdir();
