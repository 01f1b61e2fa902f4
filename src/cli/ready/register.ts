import type { Register } from '../command-line.js';

export const registerReady: Register = (program, run) => {
  const command = program
    .command('ready')
    .description('what can be worked on now, and what is blocked and why')
    .option('--no-retry', 'report what is stale without asking its agent again');
  run(command, async (line) => (await import('./ready.js')).ready(line, { retry: command.opts().retry !== false }));
};
