import type { Command } from 'commander';
import { suggestion } from '../protocol/did-you-mean.js';
import { AgentXError } from '../protocol/errors.js';

/** Refuses a noun without a known verb: with another word, with an unknown option, or with nothing. */
export function refuseVerb(noun: Command, word = noun.args[0]): never {
  const path = pathOf(noun);
  const verbs = visibleVerbs(noun).map((verb) => verb.name());
  const options = noun.options.flatMap(({ long }) => long ?? []);
  const allowed = word?.startsWith('-') ? options : verbs;
  throw new AgentXError('INVALID_INPUT', `${problemWith(word, path, allowed)} See: ${path} --help`, {
    command: path,
    allowed,
  });
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

function problemWith(word: string | undefined, path: string, allowed: readonly string[]): string {
  if (word === undefined) return `'${path}' needs to know what to do. Allowed: ${allowed.join(', ')}.`;
  const shown = word.slice(0, 80);
  if (allowed.length === 0) return `There is no '${path} ${shown}': '${path}' has nothing below it.`;
  const problem = word.startsWith('-') ? `'${path}' has no option '${shown}'.` : `There is no '${path} ${shown}'.`;
  const isShown = allowed.includes('show') && (ID.test(word) || (path.endsWith(' issue') && /^\d+$/.test(word)));
  if (isShown) return `${problem} Did you mean '${path} show ${shown}'?`;
  return `${problem}${suggestion(word, allowed)}`;
}
