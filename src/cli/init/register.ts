import { Option } from 'commander';
import type { Register } from '../command-line.js';

export const registerInit: Register = (program, run) => {
  const command = program
    .command('init')
    .description('make a .agentx folder here; files that are there stay as they are')
    .addOption(
      new Option('--mode <mode>', 'where issues are kept: local, in files; github, on GitHub').choices([
        'local',
        'github',
      ]),
    )
    .option('--repo <owner/name>', 'the repository on GitHub; otherwise the one that git calls origin')
    .addHelpText(
      'after',
      `
Examples:
  agentx init                                        issues are files in .agentx/issues
  agentx init --mode github                          issues are those of the repository on GitHub
  agentx init --mode github --repo octocat/shop      of another one`,
    );
  run(command, async (line) => {
    const { mode, repo, root } = command.optsWithGlobals();
    return (await import('./init.js')).init(line, { mode, repo, root });
  });
};
