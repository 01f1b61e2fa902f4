import type { Register } from '../command-line.js';

const NOTE = `
Looks about once a second, so that it also shows what other processes and other people do. q quits.
Not on a terminal, or with --json, it says once how things are.

Examples:
  agentx watch                 until you press q
  agentx watch --json          everything on the board, once`;

export const registerWatch: Register = (program, run) => {
  const command = program
    .command('watch')
    .description('a live board: what waits for you, who is at what, runs and clarifications')
    .addHelpText('after', NOTE);
  run(command, async (line) => (await import('./watch.js')).watch(line));
};
