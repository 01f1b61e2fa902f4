import type { Command } from 'commander';
import { suggestion } from '../protocol/did-you-mean.js';
import { AgentXError } from '../protocol/errors.js';

/** For a command that is followed by none of those below it: by another word, by an unknown option, or by nothing. */
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

/** The verbs that help speaks of. */
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

function problemWith(word: string | undefined, path: string, allowed: readonly string[]): string {
  if (word === undefined) return `'${path}' needs to know what to do. Allowed: ${allowed.join(', ')}.`;
  const shown = word.slice(0, 80);
  if (allowed.length === 0) return `There is no '${path} ${shown}': '${path}' has nothing below it.`;
  const problem = word.startsWith('-') ? `'${path}' has no option '${shown}'.` : `There is no '${path} ${shown}'.`;
  return `${problem}${suggestion(word, allowed)}`;
}
