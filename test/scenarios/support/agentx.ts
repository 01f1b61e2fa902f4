import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App } from '../../../src/app/app.js';
import { createApp } from '../../../src/app/create-app.js';
import { initFolder } from '../../../src/app/init.js';
import { isLong } from '../../support/mode.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type KeptCommand, KeptProcess, KeptProcesses } from './kept/kept-process.js';

const program = resolve(import.meta.dirname, '../../../dist/agentx.js');
/** The command of the built program. */
export const agentxCommand = [process.execPath, program] as const;

/** No command takes so long: waiting longer would block the whole test run for ever. */
export const PATIENCE_MS = 180_000;

export interface AgentxOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface AgentxResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What stdout says, parsed; of an error, what stderr says. */
  json(): unknown;
}

let host: KeptProcess | undefined;
const severalKept = new KeptProcesses({ program });

/**
 * Runs the built program to its end, as a user in `cwd` does. It runs in a process that is kept for such commands. In
 * the long mode, it runs in a process of its own.
 */
export function agentx(cwd: string, args: readonly string[], { env, input = '' }: AgentxOptions = {}): AgentxResult {
  const command = { cwd, args, env: agentxEnvironment(env), input };
  if (isLong) return inOwnProcess(command);
  host ??= new KeptProcess({ program, patienceMs: PATIENCE_MS });
  const { status, stdout, stderr } = host.run(command);
  return resultOf(status, stdout, stderr);
}

/** The same in a process of its own, for a test of how the process itself begins or ends. */
export function inOwnProcess({ cwd, args, env, input }: KeptCommand): AgentxResult {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: PATIENCE_MS,
  });
  if (error !== undefined) throw error;
  return resultOf(status, stdout, stderr);
}

/** The same as `agentx` without blocking: for several at once, or for a command that speaks with the test. */
export async function startAgentx(
  cwd: string,
  args: readonly string[],
  options: AgentxOptions = {},
): Promise<AgentxResult> {
  if (isLong) return spawnAgentx(cwd, args, options).ended;
  const { env, input = '' } = options;
  const { status, stdout, stderr } = await severalKept.run({ cwd, args, env: agentxEnvironment(env), input });
  return resultOf(status, stdout, stderr);
}

/** The arguments of an engineer that asks the architect about issue 1. */
export function askArguments(topic: string, question: string, ...more: readonly string[]): readonly string[] {
  const parties = { '--issue': '1', '--from': 'engineer', '--to': 'architect' };
  const usual = Object.entries(parties).filter(([option]) => !more.includes(option));
  return ['ask', ...usual.flat(), '--topic', topic, '-q', question, ...more];
}

export interface RunningAgentx {
  readonly ended: Promise<AgentxResult>;
  readonly pid: number | undefined;
  /** Like a power cut: the program gets no chance to clean up. */
  kill(): void;
  /** What a terminal sends for Ctrl-C, or the system when it shuts down. */
  signal(name: 'SIGINT' | 'SIGTERM'): void;
}

/** In a process of its own, for a test that may not wait for the end. */
export function spawnAgentx(
  cwd: string,
  args: readonly string[],
  { env, input = '' }: AgentxOptions = {},
): RunningAgentx {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: agentxEnvironment(env) });
  const chunks = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    chunks.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    chunks.stderr += chunk;
  });
  child.stdin.on('error', () => {}); // A killed program does not read on.
  child.stdin.end(input);
  const ended = new Promise<AgentxResult>((done, fail) => {
    child.on('error', fail);
    child.on('close', (status) => done(resultOf(status, chunks.stdout, chunks.stderr)));
  });
  return { ended, pid: child.pid, kill: () => child.kill('SIGKILL'), signal: (name) => child.kill(name) };
}

export interface RepositoryFiles {
  /** Added to what `init` writes into config.toml; a failed target is asked again at once. */
  readonly config?: string;
  /** By path from the repository. */
  readonly files?: Readonly<Record<string, string>>;
  /** Titles of issues 1, 2, ... with their labels. */
  readonly issues?: readonly { readonly title: string; readonly labels?: readonly string[] }[];
}

/** A temporary repository with a `.agentx` folder as `init` makes it, gone when the test is over. */
export async function aRepository({ config = '', files = {}, issues = [] }: RepositoryFiles = {}): Promise<string> {
  const cwd = temporaryFolder();
  const { root } = initFolder({ repository: cwd });
  const path = join(root, 'config.toml');
  const shipped = readFileSync(path, 'utf8').replace(/^retry_seconds = .*$/m, 'retry_seconds = 0');
  writeFileSync(path, `${shipped}\n${config}\n`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const app = openQuietly(root);
  for (const issue of issues) await app.createIssue(issue);
  await untilLocksAreFree();
  return cwd;
}

/** Opened by the process of the test, which leaves no lines of its own in a log that the test may look at. */
export function openQuietly(root: string, env: NodeJS.ProcessEnv = {}): App {
  return createApp({ root, env: { ...env, AGENTX_LOG: 'silent' } });
}

/**
 * A process that writes much keeps a lock until its event loop has turned. A test that blocks while it waits for
 * another process prevents that: whatever writes in the process of the test ends with this.
 */
export async function untilLocksAreFree(): Promise<void> {
  await nextTurn();
}

/** Nothing from the environment of the tests but the path. */
export function agentxEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, USER: 'ada', CI: 'true', AGENTX_TRUST: '1', ...env };
}

function resultOf(status: number | null, stdout: string, stderr: string): AgentxResult {
  return { status, stdout, stderr, json: () => JSON.parse(stdout === '' ? stderr : stdout) };
}
