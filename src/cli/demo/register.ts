import type { Register } from '../command-line.js';

export const registerDemo: Register = (program, run) => {
  const command = program.command('demo').description('agents ask each other, and you, in a temporary repository');
  run(command, async (line) => (await import('./demo.js')).demo(line));
};
