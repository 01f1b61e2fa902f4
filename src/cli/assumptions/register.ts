import type { Register } from '../command-line.js';
import { takesText } from '../text.js';

const EXAMPLES = `
Examples:
  agentx assumptions --issue 42            what agents decided without you
  agentx assumptions confirm ASM-42-001    you agree
  agentx assumptions reject ASM-42-001 -m "Use the live keys"
                                           you do not: then you choose whether to keep or rework what was built`;

export const registerAssumptions: Register = (program, run) => {
  const noun = program
    .command('assumptions')
    .description('what agents decided without you; lists them without a subcommand')
    .enablePositionalOptions()
    .option('--issue <number>', 'of one issue')
    .addHelpText('after', EXAMPLES);
  run(noun, async (line) => (await import('./list.js')).list(line, noun.opts()));

  const confirm = noun.command('confirm').description('it is right').argument('<id>', 'such as ASM-42-001');
  confirm.addHelpText('after', '\nExample:\n  agentx assumptions confirm ASM-42-001');
  run(confirm, async (line, id = '') => (await import('./decide.js')).confirm(line, id));

  const reject = noun
    .command('reject')
    .description('it is wrong: what was built on it is listed, to be kept or done again')
    .argument('<id>', 'such as ASM-42-001')
    .addHelpText('after', '\nExample:\n  agentx assumptions reject ASM-42-001 -m "Use the live keys"');
  const replacementText = takesText(reject, { what: 'what instead', asks: 'What instead?' });
  run(reject, async (line, id = '') => (await import('./decide.js')).reject(line, id, replacementText));
};
