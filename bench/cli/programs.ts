import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Bundled into bench/dist. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { bin } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const AGENTX = `${ROOT}${bin.agentx}`;

/** The commands that hooks call at every boundary of work, and one that only reads. */
export const COMMANDS = {
  ready: ['ready'],
  clarify: ['clarify'],
  'hook start': ['hook', 'start', 'engineer', '1'],
  state: ['state'],
} as const satisfies Record<string, readonly string[]>;

export type CommandName = keyof typeof COMMANDS;

export const startNode = (cwd: string): number => run(cwd, ['-e', '0']);

export const startAgentx = (cwd: string, args: readonly string[], env: Environment = {}): number =>
  run(cwd, [AGENTX, ...args], env);

type Environment = Readonly<Record<string, string>>;

/** Reading them takes longer than all the rest of a bare start, and would make every ratio look better. */
const { NODE_EXTRA_CA_CERTS: _, ...WITHOUT_CERTIFICATES } = process.env;

/** Milliseconds from the start of a process to its exit. */
function run(cwd: string, args: readonly string[], env: Environment = {}): number {
  const started = performance.now();
  const { status, signal, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...WITHOUT_CERTIFICATES, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const milliseconds = performance.now() - started;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status ?? signal}: ${stderr}`);
  return milliseconds;
}
