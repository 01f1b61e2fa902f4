import type { Register } from '../command-line.js';

export const registerDoctor: Register = (program, run) => {
  const command = program
    .command('doctor')
    .description('examine everything in .agentx; repair what is damaged')
    .option('--repair', 'move damaged files aside and keep what can be saved of them')
    .addHelpText(
      'after',
      `
The original of a damaged file stays beside its replacement as <name>.corrupt-<time>, and no id is
ever given again. config.toml and workflows are yours: they are only looked at, and so are the
programs of agents: one that is not there is a problem.

Examples:
  agentx doctor                look, change nothing
  agentx doctor --repair
  agentx doctor --json         for scripts: {problems, warnings, repaired, ...}`,
    );
  run(command, async (line) => (await import('./doctor.js')).doctor(line, { repair: command.opts().repair === true }));
};
