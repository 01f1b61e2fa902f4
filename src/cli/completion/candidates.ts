import type { Command } from 'commander';
import { visibleVerbs } from '../refuse-verb.js';

/** A word that may come next. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
  /** An option after which something else comes first. */
  readonly takesValue?: boolean;
  /** Its one-letter form, which people type without help. */
  readonly short?: string;
}

/** A place in the tree of commands: `path` is '' for the program itself, '/issue/create' below. */
export interface Place {
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly options: readonly Candidate[];
}

/** Every place of a program, itself first. */
export function placesOf(command: Command, path = ''): readonly Place[] {
  const below = visibleVerbs(command).flatMap((child) => placesOf(child, `${path}/${child.name()}`));
  return [{ path, words: wordsOf(command), options: optionsOf(command) }, ...below];
}

function wordsOf(command: Command): readonly Candidate[] {
  const commands = visibleVerbs(command).map((child) => ({ word: child.name(), description: child.description() }));
  const [first] = command.registeredArguments;
  const choices = (first?.argChoices ?? []).map((word) => ({ word, description: command.description() }));
  return [...commands, ...choices];
}

/** Options that every command knows are described once, at the program. */
function optionsOf(command: Command): readonly Candidate[] {
  const described = new Map(rootOf(command).options.map(({ long, description }) => [long, description]));
  const options = command.options.flatMap(({ long, short, description, required: takesValue }) => {
    if (!long) return [];
    const option = { word: long, description: description || (described.get(long) ?? ''), takesValue };
    return short ? [{ ...option, short }] : [option];
  });
  return [...options, { word: '--help', description: 'what it does, with examples' }];
}

/** Every word after which a value comes. */
export function valuedOptions(places: readonly Place[]): readonly string[] {
  const valued = places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue));
  return [...new Set(valued.flatMap(({ word, short }) => (short ? [word, short] : [word])))];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
