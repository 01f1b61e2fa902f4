import type { Register } from '../command-line.js';

const EXAMPLES = `
Examples:
  agentx ask --issue 42 --from engineer --to architect --topic "Database layer" -q "Two adapters, or migrate?"
  agentx ask --issue 42 --from engineer --to pm --topic Scope -q "Is CSV export in?" --non-blocking --json

Exit codes: 0 answered, or asked where it does not block; 3 waits for a human; 1 refused or failed;
2 bad input; 4 no such issue; 130 interrupted: the clarification stays open.
Whom an agent may ask is can_clarify of its step in .agentx/workflows.`;

export const registerAsk: Register = (program, run) => {
  const command = program
    .command('ask')
    .description('have one agent ask another, now')
    .option('--issue <number>', 'what it is about; 0 for no issue; that of the calling agent if one calls')
    .option('--from <agent>', 'who asks; the calling agent if one calls')
    .requiredOption('--to <agent>', 'who is asked')
    .requiredOption('--topic <text>', 'a few words')
    .requiredOption('-q, --question <text>', 'the question')
    .option('--non-blocking', 'the asking agent can go on without the answer')
    .addHelpText('after', EXAMPLES);
  run(command, async (line) => (await import('./ask.js')).ask(line, command.opts()));
};
