import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { STALE_LOCK_THRESHOLD_MS } from '../../../src/protocol/limits.js';

/**
 * How long a child waits for a lock: long enough for a busy machine. It is too short for the lock of a killed process
 * to grow stale, so a child that must wait for that fails.
 */
export const LOCK_WAIT_MS = STALE_LOCK_THRESHOLD_MS - 5_000;

/** Writes to the parent at once: the pipe keeps it even if the next instruction is our last. */
export function report(value: object): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

/** A child never outlives the test run that started it. */
export function endWithParent(): void {
  process.stdin.on('end', () => process.exit(0));
  process.stdin.resume();
  process.stdin.unref();
}

/** Calls `onLine` for each line from the parent; ends when the parent has no more to say. */
export function onCommand(onLine: (line: string) => void): void {
  createInterface({ input: process.stdin })
    .on('line', onLine)
    .on('close', () => process.exit(0));
}

/** The input from the parent. Both sides declare the same type. */
export function configuration(): string {
  return process.argv[2] ?? '{}';
}
