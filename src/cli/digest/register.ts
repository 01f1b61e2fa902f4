import type { Register } from '../command-line.js';

export const registerDigest: Register = (program, run) => {
  const command = program
    .command('digest')
    .description('what a week of clarifications adds up to, against its targets')
    .option('--week <week>', 'an ISO week such as 2026-W09; otherwise the present one')
    .option(
      '--post <where>',
      'in GitHub mode: an issue to comment on, or "discussion"; posted again, the text is replaced',
    )
    .addHelpText(
      'after',
      `
It is written to .agentx/digests/DIGEST-YYYY-Wnn.md too. Weeks begin on Monday, in UTC.

Examples:
  agentx digest
  agentx digest --week 2026-W09
  agentx digest --post 42
  agentx digest --post discussion
  agentx digest --json | jq .rates`,
    );
  run(command, async (line) => (await import('./digest.js')).digest(line, command.opts()));
};
