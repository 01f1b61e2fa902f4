import type { Command } from 'commander';
import type { Register } from '../command-line.js';
import { refuseVerb } from '../refuse-verb.js';

/**
 * `agentx help clarify stale`: commander's own help takes one word only and answers a misspelt one with everything. A
 * word that is no command may be a page of the documentation: `agentx help configuration`, `agentx help inbox.md`.
 */
export const registerHelp: Register = (program, run) => {
  const command = program
    .command('help')
    .description('the same for a command; or a page of the documentation, such as: agentx help configuration')
    .argument('[command...]')
    .helpOption(false);
  run(command, async ({ out }, ...path) => {
    const page = await pageNamed(path);
    if (page !== undefined && !isCommand(program, path[0])) {
      process.stdout.write(page);
      return;
    }
    if (page !== undefined) out.note(`There is a page about it, too: agentx help ${path[0]}.md`);
    commandAt(program, path).help();
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
