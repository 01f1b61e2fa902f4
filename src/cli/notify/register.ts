import type { Register } from '../command-line.js';
import { refuseVerb } from '../refuse-verb.js';

const EXAMPLES = `
Channels are tables [[notify]] of config.toml: agentx help notify.md

Examples:
  agentx notify                     the channels, what was sent last, and what was not delivered
  agentx notify test                send a message of no consequence through every channel
  agentx notify retry               send again what was not delivered
  agentx notify retry oq-1a2b3c4d.opened`;

export const registerNotify: Register = (program, run) => {
  const noun = program
    .command('notify')
    .description('how people are reached: channels and messages')
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  run(noun, async (line) => (noun.args.length > 0 ? refuseVerb(noun) : (await import('./list.js')).list(line)));

  const test = noun.command('test').description('send a message of no consequence through every channel');
  test.addHelpText('after', '\nExample:\n  agentx notify test');
  run(test, async (line) => (await import('./test.js')).test(line));

  const retry = noun
    .command('retry')
    .description('send again what was not delivered')
    .argument('[message]', 'its id; without it, all of them')
    .addHelpText('after', '\nExample:\n  agentx notify retry');
  run(retry, async (line, id) => (await import('./retry.js')).retry(line, id));

  // Started in the background by commands that are about to end.
  const send = noun.command('send', { hidden: true }).description('send what is due, and end');
  run(send, async (line) => (await import('./send.js')).send(line));
};
