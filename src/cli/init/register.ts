import { Option } from 'commander';
import type { Register } from '../command-line.js';

export const registerInit: Register = (program, run) => {
  const command = program
    .command('init')
    .description('make a .agentx folder here; files that are there stay as they are')
    .addOption(
      new Option('--mode <mode>', 'where issues are kept: local, in files; github is not in this version').choices([
        'local',
        'github',
      ]),
    )
    .option('--repo <owner/name>', 'the repository on GitHub')
    .addHelpText(
      'after',
      `
Examples:
  agentx init                                        issues are files in .agentx/issues
  agentx init --repo octocat/shop                    note the repository on GitHub as well`,
    );
  run(command, async (line) => {
    const { mode, repo, root } = command.optsWithGlobals();
    return (await import('./init.js')).init(line, { mode, repo, root });
  });
};
