import type { Command, Option } from 'commander';
import { AgentXError } from '../protocol/errors.js';
import { pathOf, rootOf } from './refuse-verb.js';

/**
 * Watches the options of a command that take a value. Returns what refuses two slips that commander lets pass: a value
 * given twice, of which the last would win, and an option in the place of a value (`-m --json`).
 */
export function watchOptions(command: Command): () => void {
  const valuesByOption = command.options
    .filter(({ required }) => required)
    .map((option) => ({ option, values: watch(command, option) }));
  return () => {
    const flags = new Set(flagsOf(command));
    for (const { option, values } of valuesByOption) {
      const flag = values.find((value) => flags.has(value));
      if (flag !== undefined)
        throw refused(command, `Option '${option.flags}' needs a value, and '${flag}' is an option`);
      if (!option.variadic && new Set(values).size > 1)
        throw refused(command, `Option '${option.flags}' is given twice`);
    }
  };
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
