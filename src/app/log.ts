import type { Logger } from 'pino';
import type { Log } from '../ports/log.js';
import { ExitSet } from '../storage/files/exit-set.js';
import { LogFile } from './log-file.js';
import { loggable } from './loggable.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

type LogLevel = Level | 'silent';

/** What the environment asks for; what it does not name, or names wrongly, is `info`. */
export function logLevelOf(name: string | undefined): LogLevel {
  return name === 'silent' ? name : (LEVELS.find((level) => level === name) ?? 'info');
}

/** Lines are gathered for so long, or until they are so many: a process that never rests has no time for timers. */
const GATHER_MS = 100;
const GATHER_CHARACTERS = 32_768;

/** Logs with lines that are not written yet; a process that ends writes them, one that is killed loses the last few. */
const writing = new ExitSet<() => void>((writeOut) => writeOut());

export interface LogOptions {
  /** Where `agentx.log` lies; made with the first line. */
  readonly folder: string;
  readonly level?: LogLevel;
  /** Told once if lines cannot be written. Work never fails because its log does. */
  readonly onError?: (error: unknown) => void;
}

export interface FileLog extends Log {
  /** Resolves when everything logged so far is in the file. Whoever ends the process by force waits for it first. */
  flush(): Promise<void>;
}

interface Line {
  readonly level: Level;
  readonly message: string;
  readonly fields: object;
}

/**
 * Loading pino takes longer than most commands have to spare, so it is loaded with the first line that is to be written.
 * Lines that come meanwhile wait; they carry the time at which they were logged.
 */
export function createLog({ folder, level = 'info', onError = () => {} }: LogOptions): FileLog {
  const file = new LogFile(folder);
  const waiting: Line[] = [];
  let logger: Logger | undefined;
  let loading: Promise<void> | undefined;
  let hasFailed = false;

  const isWanted = (wanted: Level) => level !== 'silent' && LEVELS.indexOf(wanted) >= LEVELS.indexOf(level);

  const fail = (error: unknown) => {
    if (!hasFailed) onError(error);
    hasFailed = true;
  };

  // Every write to a disk that others wait for makes their wait longer, so lines are written a few at a time.
  let unwritten = '';
  const writeOut = () => {
    const lines = unwritten;
    unwritten = '';
    writing.delete(writeOut);
    try {
      if (lines !== '') file.append(lines);
    } catch (error) {
      fail(error);
    }
  };
  const append = (line: string) => {
    unwritten += line;
    if (unwritten.length > GATHER_CHARACTERS) return writeOut();
    if (!writing.has(writeOut)) setTimeout(writeOut, GATHER_MS).unref();
    writing.add(writeOut);
  };

  const load = async () => {
    try {
      // The bundle knows a CommonJS package by its default export only.
      const { default: pino } = await import('pino');
      const options = { level, timestamp: false, base: { pid: process.pid }, formatters: { level: labelled } };
      const loaded = pino(options, { write: append });
      logger = loaded;
      for (const line of waiting.splice(0)) loaded[line.level](line.fields, line.message);
    } catch (error) {
      fail(error);
    }
  };

  const write =
    (wanted: Level) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (!isWanted(wanted)) return;
      const line = { level: wanted, message, fields: { time: new Date().toISOString(), ...loggable(fields) } };
      if (logger !== undefined) {
        logger[wanted](line.fields, message);
        if (wanted === 'error') writeOut();
        return;
      }
      waiting.push(line);
      loading ??= load();
    };

  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    flush: async () => {
      await loading;
      writeOut();
    },
  };
}

function labelled(label: string): { level: string } {
  return { level: label };
}
