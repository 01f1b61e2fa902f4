import type { Register } from '../command-line.js';
import { takesText } from '../text.js';
import type { AskedBy } from './ask.js';

const EXAMPLES = `
Examples:
  agentx ask --issue 42 --from engineer --to architect \\
    --topic "Database layer" -q "Two adapters, or migrate?"
  agentx ask --issue 42 --from engineer --to pm --topic Scope \\
    -q "Is CSV export in?" --non-blocking --json

Whom an agent may ask is can_clarify of its step in .agentx/workflows.`;

export const registerAsk: Register = (program, run) => {
  const command = program
    .command('ask')
    .description('have one agent ask another, now')
    .option('--issue <number>', 'what it is about; 0 for no issue; that of the calling agent if one calls')
    .option('--from <agent>', 'who asks; the calling agent if one calls')
    .requiredOption('--to <agent>', 'who is asked')
    .requiredOption('--topic <text>', 'a few words')
    .option('--non-blocking', 'the asking agent can go on without the answer')
    .addHelpText('after', EXAMPLES);
  const text = takesText(command, {
    what: 'the question',
    asks: 'What is the question?',
    flags: '-q, --question <text>',
  });
  run(command, async (line) => (await import('./ask.js')).ask(line, { ...command.opts<AskedBy>(), text }));
};
