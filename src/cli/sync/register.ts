import type { Register } from '../command-line.js';

export const registerSync: Register = (program, run) => {
  const command = program
    .command('sync')
    .description('exchange changes with GitHub now; for mode = "github"')
    .option('--beside', 'for a command that does not wait for it: gives way after a failure')
    .addHelpText(
      'after',
      `
Commands do this beside their work, and agentx serve all the time. Without GitHub everything works on the copy in
.agentx/issues, and what was written meanwhile is sent later.

Examples:
  agentx sync
  agentx sync --json | jq .unsent`,
    );
  run(command, async (line) => (await import('./sync.js')).sync(line, { isBeside: command.opts().beside === true }));
};
