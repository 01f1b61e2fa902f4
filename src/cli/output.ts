import colors from 'picocolors';
import { type AgentXError, isStoreFailure } from '../protocol/errors.js';
import type { Paint } from '../render/conversation.js';
import { wrapSentence } from '../render/wrap-sentence.js';
import { underLabel } from './error-text.js';
import { plainJson } from './plain-json.js';

/** Where a command writes: data to stdout, notes to stderr. */
export interface Output {
  /** Data for people; silent with --json. */
  print(text: string): void;
  /** A sentence of ours in the place of data; silent with --json. */
  say(text: string): void;
  /** A sentence that there is nothing to show, unless a warning told of what could not be read. */
  sayNone(text: string): void;
  /** Data for programs. */
  json(value: unknown): void;
  /** A note; silent with --quiet. */
  note(text: string): void;
  /** Something was left out or failed beside the main task. */
  warn(error: AgentXError): void;
  /** Whether a command was named that a reader may copy. */
  readonly hasHint: () => boolean;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly isTerminal: boolean;
  readonly width: number;
  readonly paint: Paint;
}

export interface OutputOptions {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly paint: Paint;
}

export function createOutput({ isJson, isQuiet, paint }: OutputOptions): Output {
  let hasHint = false;
  let isPartUnread = false;
  /** What was warned of: several parts of a command may meet the same damage. */
  const warnings = new Set<string>();
  const look = (text: string): void => {
    hasHint ||= HINT.test(text);
  };
  const note = (text: string): void => {
    look(text);
    if (!isQuiet) process.stderr.write(`${wrapSentence(text, errorWidth())}\n`);
  };
  const print = (text: string): void => {
    look(text);
    if (!isJson) process.stdout.write(`${text}\n`);
  };
  const say = (text: string): void =>
    print(process.stdout.isTTY === true ? wrapSentence(text, process.stdout.columns || undefined) : text);
  return {
    print,
    say,
    sayNone: (text) => say(isPartUnread ? NOT_READ : text),
    json: (value) => {
      if (isJson) process.stdout.write(`${plainJson(value, 2)}\n`);
    },
    note,
    warn: (error) => {
      isPartUnread ||= isStoreFailure(error);
      if (warnings.has(error.message)) return;
      warnings.add(error.message);
      note(underLabel('warning: ', error.message, errorWidth()));
    },
    hasHint: () => hasHint,
    isJson,
    isQuiet,
    isTerminal: process.stdout.isTTY === true,
    /** Of now: people resize windows. A terminal that does not know its width reports 0. */
    get width() {
      return process.stdout.columns || 100;
    },
    paint,
  };
}

/** The width of a terminal that shows stderr; a pipe has none. */
export function errorWidth(): number | undefined {
  // A terminal that does not know its width reports 0.
  return process.stderr.isTTY === true ? process.stderr.columns || undefined : undefined;
}

const NOT_READ = 'Nothing in what could be read, and not everything could. See: agentx doctor';

/** A command of ours in a text. */
export const HINT = /\bagentx [a-z]/;

/** Colour adds, never carries, meaning. */
export function terminalPaint(isColoured: boolean): Paint {
  const { bold, dim, green, red, yellow } = colors.createColors(isColoured);
  return { name: bold, quiet: dim, good: green, waiting: yellow, alarming: red };
}
