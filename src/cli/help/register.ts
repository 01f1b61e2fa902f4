import type { Command } from 'commander';
import type { Register } from '../command-line.js';
import { refuseVerb } from '../refuse-verb.js';

/**
 * `agentx help clarify stale`: commander's own help takes one word only and answers a misspelt one with everything. A
 * word that is no command may be a page of the documentation: `agentx help configuration`.
 */
export const registerHelp: Register = (program) => {
  program
    .command('help')
    .description('the same for a command; or a page of the documentation, such as: agentx help configuration')
    .argument('[command...]')
    .helpOption(false)
    .action(async (path: readonly string[]) => {
      const page = isCommand(program, path[0]) ? undefined : await pageNamed(path);
      if (page === undefined) commandAt(program, path).help();
      else process.stdout.write(page);
    });
};

async function pageNamed([name, ...rest]: readonly string[]): Promise<string | undefined> {
  if (name === undefined || rest.length > 0) return undefined;
  return (await import('../../app/help-pages.js')).guidePage(name);
}

function isCommand(noun: Command, word: string | undefined): boolean {
  return noun.commands.some((command) => command.name() === word);
}

function commandAt(noun: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined) return noun;
  const below = noun.commands.find((command) => command.name() === word);
  return below === undefined ? refuseVerb(noun, word) : commandAt(below, rest);
}
