import type { Command } from 'commander';
import type { Register } from '../command-line.js';
import { refuseVerb } from '../refuse-verb.js';

/** `agentx help clarify stale`; commander's own knows one word only, and answers a misspelt one with all of the help. */
export const registerHelp: Register = (program) => {
  program
    .command('help')
    .description('the same for a command')
    .argument('[command...]')
    .helpOption(false)
    .action((path: readonly string[]) => commandAt(program, path).help());
};

function commandAt(noun: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined) return noun;
  const below = noun.commands.find((command) => command.name() === word);
  return below === undefined ? refuseVerb(noun, word) : commandAt(below, rest);
}
