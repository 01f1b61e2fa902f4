import type { Command } from 'commander';

/** A word that may come next. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
  /** An option after which something else comes first. */
  readonly takesValue?: boolean;
}

/** A place in the tree of commands: `path` is '' for the program itself, '/issue/create' below. */
export interface Place {
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly options: readonly Candidate[];
}

/** Every place of a program, itself first. */
export function placesOf(command: Command, path = ''): readonly Place[] {
  const below = command.commands.flatMap((child) => placesOf(child, `${path}/${child.name()}`));
  return [{ path, words: wordsOf(command), options: optionsOf(command) }, ...below];
}

function wordsOf(command: Command): readonly Candidate[] {
  const commands = command.commands.map((child) => ({ word: child.name(), description: child.description() }));
  const [first] = command.registeredArguments;
  const choices = (first?.argChoices ?? []).map((word) => ({ word, description: command.description() }));
  return [...commands, ...choices];
}

/** Options that every command knows are described once, at the program. */
function optionsOf(command: Command): readonly Candidate[] {
  const described = new Map(rootOf(command).options.map(({ long, description }) => [long, description]));
  const options = command.options.flatMap(({ long, description, required }) =>
    long ? [{ word: long, description: description || (described.get(long) ?? ''), takesValue: required }] : [],
  );
  return [...options, { word: '--help', description: 'what it does, with examples' }];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
