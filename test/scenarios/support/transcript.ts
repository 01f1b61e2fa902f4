import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentxCommand, agentxEnvironment, PATIENCE_MS } from './agentx.js';

/**
 * Runs the commands of a transcript and returns the transcript as it really goes: a test compares the two. A command
 * stands after `$ `, in the words of a shell: `AGENTX_AGENT=engineer agentx clarify --issue 1`. Its output on both
 * streams follows, times as (TIME), and `(exit 3)` if it does not end with 0.
 */
export function replay(cwd: string, transcript: string, env: Readonly<Record<string, string>> = {}): string {
  const typed = transcript.split('\n').filter((line) => line.startsWith('$ '));
  return typed.map((line) => `${line}\n${type(cwd, line.slice(2), env)}`).join('');
}

function type(cwd: string, line: string, env: Readonly<Record<string, string>>): string {
  const { variables, args } = parse(line);
  // One file for both streams keeps the order in which a person sees them.
  const path = join(cwd, '.screen');
  const screen = openSync(path, 'w+');
  try {
    const [program, ...before] = agentxCommand;
    const { status, error } = spawnSync(program, [...before, ...args], {
      cwd,
      env: agentxEnvironment({ ...env, ...variables }),
      stdio: ['ignore', screen, screen],
      timeout: PATIENCE_MS,
    });
    if (error !== undefined) throw error;
    const text = readFileSync(path, 'utf8').replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '(TIME)');
    return status === 0 ? text : `${text}(exit ${status})\n`;
  } finally {
    closeSync(screen);
    rmSync(path);
  }
}

function parse(line: string): { readonly variables: Record<string, string>; readonly args: readonly string[] } {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const start = words.indexOf('agentx');
  if (start === -1) throw new Error(`Not a command of ours: ${line}`);
  const variables = words.slice(0, start).map((word): [string, string] => {
    const [name = '', value = ''] = word.split('=');
    return [name, value];
  });
  return { variables: Object.fromEntries(variables), args: words.slice(start + 1) };
}
