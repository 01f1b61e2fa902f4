import type { Command, Option } from 'commander';
import { suggestion } from '../protocol/did-you-mean.js';
import { AgentXError } from '../protocol/errors.js';

/** Refuses a noun without a known verb: with another word, with an unknown option, or with nothing. */
export function refuseVerb(noun: Command, word = noun.args[0]): never {
  if (word?.startsWith('-')) throw noSuchOption(noun, word);
  throw refusalOf(
    noun,
    word,
    visibleVerbs(noun).map((verb) => verb.name()),
    meantBy(noun, word),
  );
}

/** Nouns that list what there is if no verb is given. */
const LISTING = ['inbox', 'clarify', 'assumptions', 'notify'];

/** The command that a word without dashes, or the usual name of a list, most likely stands for. */
function meantBy(noun: Command, word = ''): string | undefined {
  if (noun.options.some(({ long }) => long === `--${word}`)) return `${pathOf(noun)} --${word}`;
  return /^(?:list|ls)$/.test(word) && LISTING.includes(noun.name()) ? pathOf(noun) : undefined;
}

export function noSuchOption(command: Command, word: string): AgentXError {
  const options = command.options.filter((option) => !isAlias(option, rootOf(command)));
  return refusalOf(
    command,
    word,
    options.flatMap(({ long }) => long ?? []),
  );
}

function refusalOf(
  command: Command,
  word: string | undefined,
  allowed: readonly string[],
  meantWord?: string,
): AgentXError {
  const path = pathOf(command);
  return new AgentXError('INVALID_INPUT', `${problemWith(word, path, allowed, meantWord)} See: ${path} --help`, {
    command: path,
    allowed,
  });
}

/** Another spelling, which help hides. Global options are hidden too, but are no aliases. */
export function isAlias({ hidden, long }: Option, root: Command): boolean {
  return hidden && !root.options.some((option) => option.long === long);
}

export function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** The verbs that help lists. */
export function visibleVerbs(noun: Command): readonly Command[] {
  return noun
    .createHelp()
    .visibleCommands(noun)
    .filter((verb) => noun.commands.includes(verb));
}

/** As people type it: `agentx clarify show`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** An id that people pass to `show`, and may expect to work without it. */
const ID = /^(?:CLR-\d|oq-)/i;

function problemWith(word: string | undefined, path: string, allowed: readonly string[], meantWord?: string): string {
  if (word === undefined) return `'${path}' needs to know what to do. Allowed: ${allowed.join(', ')}.`;
  const shownWord = word.slice(0, 80);
  if (allowed.length === 0) return `There is no '${path} ${shownWord}': '${path}' has nothing below it.`;
  const problem = word.startsWith('-')
    ? `'${path}' has no option '${shownWord}'.`
    : `There is no '${path} ${shownWord}'.`;
  const isShown = allowed.includes('show') && (ID.test(word) || (path.endsWith(' issue') && /^\d+$/.test(word)));
  const command = isShown ? `${path} show ${shownWord}` : meantWord;
  if (command !== undefined) return `${problem} Did you mean '${command}'?`;
  return `${problem}${suggestion(word, allowed)}`;
}
