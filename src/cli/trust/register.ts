import type { Register } from '../command-line.js';

export const registerTrust: Register = (program, run) => {
  const command = program
    .command('trust')
    .description('show the programs that config.toml would run, and approve them')
    .option('-y, --yes', 'approve without asking, for scripts')
    .addHelpText(
      'after',
      `
A repository must not run programs unasked: until you approve them, agents whose runner is a
command are refused. Your approval is kept outside the repository. A changed command needs a new one,
a changed file that a command runs does not.

Examples:
  agentx trust                 look, then say y or n
  agentx trust --yes           in a script that has looked already
  AGENTX_TRUST=1 agentx ...    approve everything for one command, for CI`,
    );
  run(command, async (line) => (await import('./trust.js')).trust(line, { yes: command.opts().yes === true }));
};
