import { appendFileSync, closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../ports/log.js';
import { shorten } from '../protocol/shorten.js';
import { ExitSet } from '../storage/files/exit-set.js';
import {
  errorCode,
  makeInside,
  OWN_FILE_TO_APPEND,
  realFileSystem,
  unlinkIfThere,
} from '../storage/files/file-system.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

type LogLevel = Level | 'silent';

/** The level in the environment; missing or wrong means `info`. */
export function logLevelOf(name: string | undefined): LogLevel {
  return name === 'silent' ? name : (LEVELS.find((level) => level === name) ?? 'info');
}

/** Lines are gathered for so long, or until they are so many: a busy process does not get to its timers. */
const GATHER_MS = 100;
const GATHER_CHARACTERS = 32_768;

/** Logs with lines that are not written yet; a process that ends writes them, a killed one loses the last few. */
const openLogs = new ExitSet<() => void>((writeOut) => writeOut());

export interface LogOptions {
  /** The folder of `agentx.log`, `.agentx/state/logs`; made with the first line. */
  readonly folder: string;
  readonly level?: LogLevel;
  /** Called once if lines cannot be written. Work never fails because its log does. */
  readonly onError?: (error: unknown) => void;
}

export interface FileLog extends Log {
  /** Resolves when everything logged so far is in the file. Call it before ending the process by force. */
  flush(): Promise<void>;
}

/** One JSON object a line. Every write to the disk delays other writers, so lines are written a few at a time. */
export function createLog({ folder, level = 'info', onError = () => {} }: LogOptions): FileLog {
  const file = new LogFile(folder);
  let hasFailed = false;
  let unwrittenText = '';

  const writeOut = () => {
    const lines = unwrittenText;
    unwrittenText = '';
    openLogs.delete(writeOut);
    try {
      if (lines !== '') file.append(lines);
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
    }
  };

  const write = (ownLevel: Level) => {
    const isWanted = level !== 'silent' && LEVELS.indexOf(ownLevel) >= LEVELS.indexOf(level);
    return (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (!isWanted) return;
      const time = new Date().toISOString();
      const line = { level: ownLevel, pid: process.pid, time, ...copyOf(fields, 0), msg: message };
      unwrittenText += `${JSON.stringify(line)}\n`;
      if (ownLevel === 'error' || unwrittenText.length > GATHER_CHARACTERS) return writeOut();
      if (!openLogs.has(writeOut)) setTimeout(writeOut, GATHER_MS).unref();
      openLogs.add(writeOut);
    };
  };

  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    flush: async () => writeOut(),
  };
}

const SECRET = /^(?:token|secret|password|authorization|apikey)$/i;
const REDACTED = '[redacted]';
const MAX_TEXT = 32_768;
const MAX_ITEMS = 200;
const MAX_DEPTH = 8;

/** A copy for the log: secrets are left out at every depth, and large or circular data is cut. */
function copyOf(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields).slice(0, MAX_ITEMS)) {
    // Set like any other, `__proto__` would not become a field.
    if (key !== '__proto__') copy[key] = isSecret(key) ? REDACTED : plain(value, depth + 1);
  }
  return copy;
}

function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shorten(value, MAX_TEXT);
  if (typeof value === 'bigint') return value.toString();
  // A function by the name of toJSON would be called.
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '...';
  if (value instanceof Error) return { name: value.name, message: value.message, ...copyOf(value, depth) };
  if (value instanceof Date) return value.toJSON();
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => plain(item, depth + 1));
  return copyOf(value, depth);
}

function isSecret(key: string): boolean {
  return SECRET.test(key.replaceAll(/[-_]/g, ''));
}

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 5;
/** Renaming a few files never takes this long: the process that made such an old lock has died. */
const STALE_ROTATION_MS = 10_000;

/**
 * `agentx.log` and, older and older, `agentx.1.log` to `agentx.4.log`. Any number of processes may write: a line is
 * appended with one call, which the system keeps whole. The file is opened anew for each line, so that no process goes
 * on writing to a file that was rotated away.
 */
export class LogFile {
  readonly #path: string;
  /** Whether the parent of the log's folder was there when this log was opened or last written. */
  #hadState: boolean;

  constructor(private readonly folder: string) {
    this.#path = join(folder, 'agentx.log');
    this.#hadState = existsSync(dirname(folder));
  }

  append(line: string): void {
    if (this.#isFull(line)) this.#rotate(line);
    try {
      this.#write(line);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      this.#makeFolder();
      this.#write(line);
    }
    this.#hadState = true;
  }

  /** A folder that was removed or moved away is not made anew: ENOENT then, and nothing is in its place. */
  #makeFolder(): void {
    const state = dirname(this.folder);
    if (!this.#hadState) makeInside(realFileSystem, dirname(state), state);
    makeInside(realFileSystem, state, this.folder);
  }

  #write(line: string): void {
    const file = openSync(this.#path, OWN_FILE_TO_APPEND, 0o600);
    try {
      appendFileSync(file, line);
    } finally {
      closeSync(file);
    }
  }

  #isFull(line: string): boolean {
    const { size } = statSync(this.#path, { throwIfNoEntry: false }) ?? { size: 0 };
    return size > 0 && size + Buffer.byteLength(line) > MAX_FILE_BYTES;
  }

  /** One process rotates; the others go on writing to the full file for that moment. */
  #rotate(line: string): void {
    const release = this.#claimRotation();
    if (release === undefined) return;
    try {
      // Another process may have rotated between the check and the lock.
      if (!this.#isFull(line)) return;
      for (let age = MAX_FILES - 2; age >= 1; age--) renameIfThere(this.#rotated(age), this.#rotated(age + 1));
      renameIfThere(this.#path, this.#rotated(1));
    } finally {
      release();
    }
  }

  #rotated(age: number): string {
    return join(this.folder, `agentx.${age}.log`);
  }

  #claimRotation(): (() => void) | undefined {
    const lock = `${this.#path}.lock`;
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      return () => unlinkIfThere(realFileSystem, lock);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const madeAtMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      // The next writer takes the lock.
      if (Date.now() - madeAtMs > STALE_ROTATION_MS) unlinkIfThere(realFileSystem, lock);
      return undefined;
    }
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
