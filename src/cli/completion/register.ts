import { Argument } from 'commander';
import type { Register } from '../command-line.js';

const SHELLS = ['bash', 'zsh', 'fish'];

export const registerCompletion: Register = (program, run) => {
  const command = program
    .command('completion')
    .description('a script that makes a shell complete commands, options, ids and names')
    .addArgument(new Argument('<shell>', 'yours').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  source <(agentx completion bash)                     now; in ~/.bashrc for good
  source <(agentx completion zsh)                      in ~/.zshrc, after compinit
  agentx completion fish > ~/.config/fish/completions/agentx.fish`,
    );
  const complete = program
    .command('complete', { hidden: true })
    .description('what a shell offers for the last of these words')
    .argument('<kind>')
    .argument('[words...]')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false);
  run(complete, async (line, kind = '', ...words) => (await import('./complete.js')).complete(line, kind, words));

  run(command, async ({ out }, shell = '') => (await import('./completion.js')).completion(out, shell, program));
};
