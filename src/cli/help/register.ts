import type { Command } from 'commander';
import { suggestion } from '../../protocol/did-you-mean.js';
import { AgentXError } from '../../protocol/errors.js';
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
    const [name] = path;
    const { guidePage } = await import('../../app/help-pages.js');
    const page = name === undefined || path.length > 1 ? undefined : guidePage(name);
    if (name !== undefined && !isCommand(program, name)) {
      if (page === undefined) throw await noHelpFor(program, path);
      process.stdout.write(page);
      return;
    }
    if (page !== undefined) out.note(`There is a page about it, too: agentx help ${name}.md`);
    commandAt(program, path).help();
  });
};

async function noHelpFor(program: Command, path: readonly string[]): Promise<AgentXError> {
  const allowed = (await import('./topics.js')).topics(program);
  const [name = ''] = path;
  const problem = `There is no help for '${path.join(' ').slice(0, 80)}'.${suggestion(name, allowed)}`;
  return new AgentXError('INVALID_INPUT', `${problem} See: agentx --help`, { allowed });
}

function isCommand(noun: Command, word: string): boolean {
  return noun.commands.some((command) => command.name() === word);
}

function commandAt(noun: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined) return noun;
  const below = noun.commands.find((command) => command.name() === word);
  return below === undefined ? refuseVerb(noun, word) : commandAt(below, rest);
}
