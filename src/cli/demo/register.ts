import type { Register } from '../command-line.js';

export const registerDemo: Register = (program, run) => {
  const command = program
    .command('demo')
    .description('agents ask each other, and you, in a temporary repository')
    .addHelpText(
      'after',
      '\nExample:\n  agentx demo            it takes under a minute; where you do not answer, a fallback does',
    );
  run(command, async (line) => (await import('./demo.js')).demo(line));
};
