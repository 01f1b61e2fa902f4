import type { Register } from '../command-line.js';

const EXAMPLES = `
Examples:
  agentx ready                           the most urgent first
  agentx ready --json | jq '.ready[0].number'
  agentx ready --no-retry                look only: start no program`;

export const registerReady: Register = (program, run) => {
  const command = program
    .command('ready')
    .description('what can be worked on now, and what is blocked and why')
    .option('--no-retry', 'report what is stale without asking its agent again')
    .addHelpText('after', EXAMPLES);
  run(command, async (line) => (await import('./ready.js')).ready(line, { retry: command.opts().retry !== false }));
};
