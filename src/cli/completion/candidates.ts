import type { Command } from 'commander';
import { isAlias, rootOf, visibleVerbs } from '../refuse-verb.js';
import { type Value, valueOfArgument, valueOfOption } from './values.js';

/** A word that may come next. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
  /** Whether the option is followed by a value. */
  readonly takesValue?: boolean;
  /** Its one-letter form, which is not offered. */
  readonly short?: string;
  /** What that value is. */
  readonly value?: Value;
}

/** A place in the tree of commands: `path` is '' for the program itself, '/issue/create' below. */
export interface Place {
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly options: readonly Candidate[];
  /** Its arguments, in their order. */
  readonly values: readonly Value[];
  /** The last of them, if any number of it may follow. */
  readonly more?: Value | undefined;
}

/** Every place of a program, itself first. */
export function placesOf(command: Command, path = ''): readonly Place[] {
  const below = visibleVerbs(command).flatMap((child) => placesOf(child, `${path}/${child.name()}`));
  const values = command.registeredArguments.map((argument) => valueOfArgument(argument, command));
  // Behind a page of help stands a verb, not another page.
  const isRepeated = command.registeredArguments.at(-1)?.variadic === true && values.at(-1)?.kind !== undefined;
  const more = isRepeated ? values.at(-1) : undefined;
  return [{ path, words: wordsOf(command), options: optionsOf(command), values, more }, ...below];
}

function wordsOf(command: Command): readonly Candidate[] {
  return visibleVerbs(command).map((child) => ({ word: child.name(), description: child.description() }));
}

/** Options of every command are described once, at the program. */
function optionsOf(command: Command): readonly Candidate[] {
  const descriptions = new Map(rootOf(command).options.map(({ long, description }) => [long, description]));
  const options = command.options.flatMap((option) => {
    const { long, short, description, required: takesValue } = option;
    if (!long || isAlias(option, rootOf(command))) return [];
    const candidate = { word: long, description: description || (descriptions.get(long) ?? ''), takesValue };
    return { ...candidate, ...(short && { short }), ...(takesValue && { value: valueOfOption(option) }) };
  });
  return [...options, { word: '--help', description: 'what it does, with examples' }];
}

/** Every option that is followed by a value. */
export function valuedOptions(places: readonly Place[]): readonly string[] {
  const valueOptions = places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue));
  return [...new Set(valueOptions.flatMap(({ word, short }) => (short ? [word, short] : [word])))];
}
