import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { endGroup, startGroup } from './process-group.js';

/*
 * One program, from start to end. It leads a process group of its own, so that its children can be ended with it. The
 * turn is over when the program exits, not when its pipes close: a child left behind may keep them open for ever.
 */

const MAX_STDOUT_BYTES = 1024 * 1024;
const MAX_STDERR_BYTES = 64 * 1024;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The output of a program that exited is in the pipe and read at once; this is for a busy machine. */
const DRAIN_MS = 500;

export interface ProgramOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly timeoutSeconds: number;
  /** Ends the program, with its children, when its result is no longer wanted. */
  readonly signal?: AbortSignal;
}

export interface ProgramResult {
  readonly stdout: Buffer;
  /** Whether it wrote more than `stdout` holds. */
  readonly isCut: boolean;
  readonly stderr: string;
  /** `code` or `signal` as the program ended; `timeout` or `aborted` if we ended it. */
  readonly end: { readonly code: number } | { readonly signal: string } | 'timeout' | 'aborted';
}

/** Rejects with the operating system's error if the program cannot be started. */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  const [program = '', ...args] = options.command;
  const { child, leave } = startGroup(() =>
    spawn(program, args, { cwd: options.cwd, env: options.env, detached: true, stdio: 'pipe' }),
  );
  const stdout = collect(child.stdout, MAX_STDOUT_BYTES);
  const stderr = collect(child.stderr, MAX_STDERR_BYTES);
  // A program may answer without reading its brief; the broken pipe is not its failure.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  try {
    const limits = { timeoutMs: Math.min(options.timeoutSeconds * 1000, LONGEST_TIMER_MS), signal: options.signal };
    const end = await endOf(child, limits);
    return { stdout: stdout.bytes(), isCut: stdout.isCut(), stderr: stderr.bytes().toString('utf8'), end };
  } finally {
    leave();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
}

async function endOf(
  child: ChildProcess,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<ProgramResult['end']> {
  const exited = new Promise<ProgramResult['end']>((resolve, reject) => {
    child.once('error', reject);
    if (signal?.aborted) resolve('aborted');
    const abort = () => resolve('aborted');
    signal?.addEventListener('abort', abort, { once: true });
    child.once('exit', () => signal?.removeEventListener('abort', abort));
    child.once('exit', (code, signal) => resolve(code === null ? { signal: signal ?? 'a signal' } : { code }));
  });
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      isClosed = true;
      resolve();
    });
  });

  const end = await within(timeoutMs, exited);
  const isEnded = end === 'timeout' || end === 'aborted';
  if (!isEnded) await within(DRAIN_MS, closed);
  if (child.pid === undefined) return end;
  if (isEnded) await endGroup(child.pid);
  else if (!isClosed) await endGroup(child.pid, () => isClosed);
  return end;
}

/** The first of the two. Pipes are read once more after the timer, in case this process was too busy. */
async function within<T>(milliseconds: number, awaited: Promise<T>): Promise<T | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, 'timeout'), milliseconds);
  });
  try {
    return await Promise.race([awaited, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads everything, so that the writer is never blocked, and keeps what fits. */
function collect(stream: Readable, limit: number): { bytes(): Buffer; isCut(): boolean } {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
  });
  return { bytes: () => Buffer.concat(chunks), isCut: () => size > limit };
}
