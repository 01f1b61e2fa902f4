import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { AgentXError } from '../protocol/errors.js';
import { canAsk } from './can-ask.js';
import type { CommandLine } from './command-line.js';
import { pathOf } from './refuse-verb.js';

/** Returns the text of a command; it is read, or asked for, when the command needs it. */
export type TextOf = (line: CommandLine) => Promise<string>;

export interface Text {
  /** For help: 'the answer'. */
  readonly what: string;
  /** The prompt for a person at a terminal who gave no text: 'What was decided?' */
  readonly asks: string;
  /** Another option for the text, which comes first. */
  readonly flags?: string;
}

const MESSAGE = '-m, --message <text>';
const BODY = '-b, --body <text>';
const FILE = '-F, --file <file>';

/** A required text: `-m` in a few words, `-F` from a file or through a pipe. */
export function takesText(command: Command, { what, asks, flags = MESSAGE }: Text): TextOf {
  const optionalText = takesOptionalText(command, { what, flags });
  // Without a person to ask, a missing text is bad usage, before anything else is checked.
  command.hook('preAction', () => {
    const { json = false, quiet = false } = command.optsWithGlobals();
    if (!isGiven(command) && !canAsk({ isJson: json, isQuiet: quiet })) throw missing(command, asks, flags);
  });
  return async (line) => (await optionalText(line)) ?? (await import('./prompt/ask-text.js')).askText(line, asks);
}

/** The same for a text that may be missing. */
export function takesOptionalText(
  command: Command,
  { what, flags = MESSAGE }: Pick<Text, 'what' | 'flags'>,
): (line: CommandLine) => Promise<string | undefined> {
  const aliases = [MESSAGE, BODY].filter((other) => other !== flags).map((other) => new Option(other).hideHelp());
  const options = [new Option(flags, what), ...aliases, new Option(FILE, `${what}, from a file; - is stdin`)];
  for (const option of options) command.addOption(option);
  return (line) => textAmong(line, command, options);
}

async function textAmong(line: CommandLine, command: Command, options: readonly Option[]): Promise<string | undefined> {
  const givenOptions = options.filter((option) => command.getOptionValue(option.attributeName()) !== undefined);
  const [first, second] = givenOptions;
  if (first === undefined) return undefined;
  if (second !== undefined) {
    throw new AgentXError('INVALID_INPUT', `Say it once: both ${first.short} and ${second.short} are given.`);
  }
  const value = String(command.getOptionValue(first.attributeName()));
  if (first.flags !== FILE && value !== '-') return value;
  const { readText } = await import('../app/read-text.js');
  if (value !== '-') return readText(resolve(line.cwd, value));
  if (process.stdin.isTTY === true) line.out.note('Type the text; Ctrl-D on a line of its own ends it.');
  return readText(undefined);
}

function isGiven(command: Command): boolean {
  return ['message', 'body', 'question', 'file'].some((name) => command.getOptionValue(name) !== undefined);
}

function missing(command: Command, asks: string, flags: string): AgentXError {
  return new AgentXError(
    'INVALID_INPUT',
    `${asks} Add ${flags.replace(/, .*/, '')} TEXT, or -F FILE (- is stdin). See: ${pathOf(command)} --help`,
    { usage: 'missing text', allowed: [flags, FILE] },
  );
}
