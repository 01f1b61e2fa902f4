import type { Command } from 'commander';
import type { Action, Register } from '../command-line.js';

const PHASES = ['start', 'finish'] as const;
type Phase = (typeof PHASES)[number];

export const registerHook: Register = (program, run) => {
  const hook = program
    .command('hook')
    .description('tell that an agent starts or finishes work; looks after what is stale on the way')
    .addHelpText(
      'after',
      `
Call these where an agent's session begins and ends. They say nothing unless there is something to say.

Examples:
  agentx hook start engineer 42
  agentx hook finish engineer 42 --transcript session.jsonl`,
    );
  run(hook, async (_line, verb) => (await import('../refuse-verb.js')).refuseVerb('hook', verb, PHASES));

  const start = hook.command('start').description('an agent starts, on an issue if one is named');
  run(phase(start), body(start, 'start'));
  const finish = hook.command('finish').description('an agent has done its part');
  run(phase(finish), body(finish, 'finish'));
  // At the end, because verbs take after their noun when they are made.
  hook.allowUnknownOption().allowExcessArguments();
};

function phase(command: Command): Command {
  return command
    .argument('<agent>')
    .argument('[issue]', 'its number')
    .option('--transcript <file>', 'what was said in the session')
    .option('--no-retry', 'report what is stale without asking its agent again');
}

function body(command: Command, name: Phase): Action {
  return async (line, agent = '', issue) => {
    const { transcript, retry } = command.opts();
    return (await import('./hook.js')).hook(line, { phase: name, agent, issue, transcript, retry: retry !== false });
  };
}
