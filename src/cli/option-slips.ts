import type { Command, Option } from 'commander';
import { AgentXError } from '../protocol/errors.js';
import { noSuchOption, pathOf, rootOf } from './refuse-verb.js';

/** The words of a person: what limits them says better why they cannot be empty. */
const HAS_LIMITS = /<(?:text|title|label\.\.\.)>/;

/**
 * Watches the options of a command that take a value. Returns a function that refuses four slips that commander lets
 * pass: a value that is given twice, of which the last would win; an option in the place of a value (`-m --json`); an
 * empty value, such as a variable of a script that is not set; and an option of the noun that its verb would ignore
 * (`inbox --all show`).
 */
export function watchOptions(command: Command): () => void {
  const valuesByOption = command.options
    .filter(({ required }) => required)
    .map((option) => ({ option, values: watch(command, option) }));
  return () => {
    const ignoredOption = optionOfNoun(command);
    if (ignoredOption !== undefined) throw noSuchOption(command, ignoredOption);
    const flags = new Set(flagsOf(command));
    for (const { option, values } of valuesByOption) {
      const flag = values.find((value) => flags.has(value));
      if (flag !== undefined)
        throw refused(command, `Option '${option.flags}' needs a value, and '${flag}' is an option`);
      if (values.includes('') && !HAS_LIMITS.test(option.flags))
        throw refused(command, `Option '${option.flags}' is empty`);
      if (!option.variadic && new Set(values).size > 1)
        throw refused(command, `Option '${option.flags}' is given twice`);
    }
  };
}

/** An option that was given to the noun, and that the verb does not have. */
function optionOfNoun({ parent, options }: Command): string | undefined {
  const ownOptions = new Set(options.map(({ long }) => long));
  const givenOptions = parent?.options.filter(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  );
  return givenOptions?.find(({ long }) => !ownOptions.has(long))?.long;
}

function watch(command: Command, option: Option): readonly string[] {
  const values: string[] = [];
  command.on(`option:${option.name()}`, (value: string) => values.push(value));
  return values;
}

function flagsOf(command: Command): readonly string[] {
  const all = [...command.options, ...rootOf(command).options].flatMap(({ short, long }) => [short ?? [], long ?? []]);
  return [...all.flat(), '-h', '--help'];
}

function refused(command: Command, problem: string): AgentXError {
  return new AgentXError('INVALID_INPUT', `${problem}. See: ${pathOf(command)} --help`);
}
