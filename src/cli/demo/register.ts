import type { Register } from '../command-line.js';

export const registerDemo: Register = (program, run) => {
  const command = program.command('demo').description('two agents settle one ambiguity, in a temporary folder');
  run(command, async ({ out }) => (await import('./demo.js')).demo(out));
};
