import { existsSync, readFileSync } from 'node:fs';

/** Whether a process runs. One that has ended and that its parent has not collected yet is gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Where there is no /proc, the signal has told all that can be told.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' && !existsSync('/proc');
  }
}
