import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentxResult } from './agentx.js';

/**
 * Whatever an argument can carry: escapes of both kinds, a title, a bell, a return, reversed text, a shell's syntax.
 */
export const HOSTILE =
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\rover\u202e$(touch owned) `touch owned`; ../../owned\n[ESCALATED] forged';

/** As long as a single argument may be; more cannot be typed. */
export const LONG = 'x'.repeat(120_000);

/**
 * What no screen, log viewer or pipe may get from us: of the control characters, only line break and tab are allowed.
 */
const CONTROLS = /(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A harmless reply to hostile input. */
export function expectTame({ stdout, stderr }: Pick<AgentxResult, 'stdout' | 'stderr'>, what: string): void {
  const text = stdout + stderr;
  expect(CONTROLS.exec(text)?.[0], `${what}: control characters`).toBeUndefined();
  expect(text, `${what}: a stack trace`).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(text, `${what}: a forged line`).not.toMatch(/^\[ESCALATED\] forged/m);
}

/** Everything below a folder except logs and derived files. */
export function filesBelow(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/state\/(?:logs|index)/.test(name) && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
