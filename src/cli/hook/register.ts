import type { Command } from 'commander';
import type { Action, Register } from '../command-line.js';
import { refuseVerb } from '../refuse-verb.js';

export const registerHook: Register = (program, run) => {
  const hook = program
    .command('hook')
    .description('tell that an agent starts or finishes work; looks after what is stale on the way')
    .addHelpText(
      'after',
      `
Call these where an agent's session begins and ends. They say nothing unless there is something to say.
agentx mcp install CLIENT --hooks has a client call them.
What earlier sessions found out about the issue is printed at the start, for the agent to read.
What was said in the transcript is remembered when an agent finishes: decisions, changes, errors and facts. It may be
the session file of an agent's program, JSON lines of chat messages, Markdown, plain text or what a terminal showed.

Examples:
  agentx hook start engineer 42
  agentx hook finish engineer 42 --transcript session.jsonl`,
    );
  run(hook, async () => refuseVerb(hook));

  const start = hook.command('start').description('an agent starts, on an issue if one is named');
  run(phase(start), body(start, 'start'));
  const finish = hook.command('finish').description('an agent has done its part');
  run(phase(finish), body(finish, 'finish'));
};

function phase(command: Command): Command {
  return command
    .argument('<agent>', 'who works')
    .argument('[issue]', 'its number')
    .option('--transcript <file>', 'what was said in the session; remembered when it finishes')
    .option('--session', 'for the hooks of a client: silent where there is no .agentx folder, and in agents of a run')
    .option('--no-retry', 'report what is stale without asking its agent again')
    .addHelpText('after', `\nExample:\n  agentx hook ${command.name()} engineer 42`);
}

function body(command: Command, name: 'start' | 'finish'): Action {
  return async (line, agent = '', issue) => {
    const { transcript, retry, session } = command.opts();
    const options = { phase: name, agent, issue, transcript, retry: retry !== false, session: session === true };
    return (await import('./hook.js')).hook(line, options);
  };
}
