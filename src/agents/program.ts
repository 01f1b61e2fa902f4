import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
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
  /** What it reads from stdin; or a file that holds it, for programs that read from files and pipes alone. */
  readonly input?: string;
  readonly inputFile?: string;
  readonly timeoutSeconds: number;
  /** Ends the program, with its children, when its result is no longer wanted. */
  readonly signal?: AbortSignal;
  /** Called with each line of stdout as it comes. Lines that are far too long are left out. */
  readonly onLine?: (line: string) => void;
  /** Whether it ends with this process even if that is killed and can pass nothing on. */
  readonly isTied?: boolean;
}

export interface ProgramResult {
  readonly stdout: Buffer;
  /** Whether it wrote more than `stdout` holds. */
  readonly isCut: boolean;
  /** The end of what `stdout` does not hold. */
  readonly rest: string;
  /** Its beginning and its end, where programs say why they fail. */
  readonly stderr: string;
  /** `code` or `signal` as the program ended; `timeout` or `aborted` if we ended it. */
  readonly end: { readonly code: number } | { readonly signal: string } | 'timeout' | 'aborted';
}

/** Rejects with the operating system's error if the program cannot be started. */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  const [program = '', ...args] = options.isTied ? ['sh', '-c', TIED, 'sh', ...options.command] : options.command;
  const { cwd, env } = options;
  const file = options.inputFile === undefined ? undefined : openSync(options.inputFile, 'r');
  const tie = options.isTied ? (['pipe'] as const) : [];
  const stdio: StdioOptions = [file ?? 'pipe', 'pipe', 'pipe', ...tie];
  const { child, leave } = startGroup(() => spawn(program, args, { cwd, env, detached: true, stdio }));
  if (file !== undefined) closeSync(file);
  const pipes = outputOf(child);
  const stdout = collect(pipes.stdout, MAX_STDOUT_BYTES);
  const stderr = collect(pipes.stderr, MAX_STDERR_BYTES);
  if (options.onLine !== undefined) tellLines(pipes.stdout, options.onLine);
  // A program may answer without reading its brief; the broken pipe is not its failure.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input ?? '');
  try {
    const limits = { timeoutMs: Math.min(options.timeoutSeconds * 1000, LONGEST_TIMER_MS), signal: options.signal };
    const end = await endOf(child, limits);
    const { bytes, isCut, rest } = stdout;
    return { stdout: bytes(), isCut: isCut(), rest: rest(), stderr: wholeText(stderr), end };
  } finally {
    leave();
    for (const stream of child.stdio) stream?.destroy();
  }
}

/**
 * The fourth pipe is never written to. It closes when this process is gone, however that happened; then a second shell
 * kills the group. What runs in the background of a shell gets an empty stdin, so the program's own goes by another
 * number.
 */
const TIED = `exec 4<&0
"$@" <&4 3<&- 4<&- & program=$!
{ read -r _ <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 4<&- & tie=$!
exec 0<&- 1>&- 2>&- 3<&- 4<&-
wait "$program"; code=$?
kill -KILL "$tie"
exit "$code"`;

function outputOf({ stdout, stderr }: ChildProcess) {
  if (stdout === null || stderr === null) throw new TypeError('A program was started without pipes.');
  return { stdout, stderr };
}

const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

function tellLines(stream: Readable, tell: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isTooLong = false;
  stream.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n');
    rest += first;
    for (const next of others) {
      if (!isTooLong) tell(rest);
      isTooLong = false;
      rest = next;
    }
    isTooLong ||= rest.length > MAX_LINE_CHARACTERS;
    if (isTooLong) rest = '';
  });
  stream.on('end', () => {
    if (rest !== '' && !isTooLong) tell(rest);
  });
}

async function endOf(
  child: ChildProcess,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<ProgramResult['end']> {
  const exit = new Promise<ProgramResult['end']>((resolve, reject) => {
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

  const end = await within(timeoutMs, exit);
  const isEnded = end === 'timeout' || end === 'aborted';
  if (!isEnded) await within(DRAIN_MS, closed);
  if (child.pid === undefined) return end;
  if (isEnded) await endGroup(child.pid);
  else if (!isClosed) await endGroup(child.pid, () => isClosed);
  return end;
}

/** The first of the two. Pipes are read once more after the timer, in case this process was too busy. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, 'timeout'), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const MAX_REST_BYTES = 64 * 1024;

interface Collected {
  bytes(): Buffer;
  isCut(): boolean;
  rest(): string;
}

/** The beginning, and the end of what does not fit. */
function wholeText({ bytes, isCut, rest }: Collected): string {
  return `${bytes().toString('utf8')}${isCut() ? `\n...\n${rest()}` : ''}`;
}

/** Reads everything, so that the writer is never blocked, and keeps what fits, and the end of what does not. */
function collect(stream: Readable, limit: number): Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    const room = Math.max(0, limit - size);
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) rest = Buffer.concat([rest, chunk.subarray(room)]).subarray(-MAX_REST_BYTES);
    size += chunk.length;
  });
  return { bytes: () => Buffer.concat(chunks), isCut: () => size > limit, rest: () => rest.toString('utf8') };
}
