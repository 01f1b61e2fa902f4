import type { Command } from 'commander';
import type { Register } from '../command-line.js';
import { takesText } from '../text.js';

const EXAMPLES = `
Examples:
  agentx clarify                                     what is open, and what waits for you
  agentx clarify --issue 42                          everything that was said about issue 42
  agentx clarify show clr-42-1                       the zeros of an id may be left out, or its end
  agentx clarify follow-up CLR-42-001 -q "And in CI?"
  agentx clarify resolve CLR-42-001 -m "Repository pattern, SQLite in CI."
  agentx clarify stale --no-retry --json             what is overdue, without asking again

Every one of these runs the monitor: stale targets are asked once more, deadlocks are broken.`;

interface ListedBy {
  readonly issue?: string;
  readonly all?: boolean;
}

export const registerClarify: Register = (program, run) => {
  // Positional: words after a verb belong to the verb, so that a text may begin with a dash.
  const noun = withRetry(program.command('clarify'))
    .description('what agents ask each other: list, show, answer, settle')
    .enablePositionalOptions()
    .option('--issue <number>', 'the threads of one issue')
    .option('--all', 'include the closed ones')
    .addHelpText('after', EXAMPLES);
  run(noun, async (line) => (await import('./list.js')).list(line, { ...noun.opts<ListedBy>(), retry: retries(noun) }));

  const show = verb(noun, 'show', 'one clarification with everything that was said');
  show.addHelpText('after', '\nExample:\n  agentx clarify show CLR-42-001');
  run(show, async (line, id = '') => (await import('./show.js')).show(line, id, { retry: retries(show) }));

  const staleCommand = withRetry(noun.command('stale')).description('what is stale or stuck, and nothing else');
  staleCommand.addHelpText('after', '\nExample:\n  agentx clarify stale --no-retry --json');
  run(staleCommand, async (line) => (await import('./stale.js')).stale(line, { retry: retries(staleCommand) }));

  const followUp = verb(noun, 'follow-up', 'ask on: opens the next round');
  const question = takesText(followUp, {
    what: 'what is still not clear',
    asks: 'What is still not clear?',
    flags: '-q, --question <text>',
  });
  followUp.addHelpText('after', '\nExample:\n  agentx clarify follow-up CLR-42-001 -q "And in CI?"');
  run(followUp, async (line, id = '') =>
    (await import('./follow-up.js')).followUp(line, id, { text: question, retry: retries(followUp) }),
  );

  const answer = withExample(verb(noun, 'answer', 'answer for the target by hand'), 'One adapter per database.');
  const answerText = takesText(answer, { what: 'the answer', asks: 'What is the answer?' });
  run(answer, async (line, id = '') =>
    (await import('./answer.js')).answer(line, id, { text: answerText, retry: retries(answer) }),
  );

  const resolve = withExample(
    verb(noun, 'resolve', 'settle it, also one that is escalated'),
    'Repository pattern, SQLite in CI.',
  );
  const decisionText = takesText(resolve, { what: 'what was decided', asks: 'What was decided?' });
  run(resolve, async (line, id = '') =>
    (await import('./resolve.js')).resolve(line, id, { text: decisionText, retry: retries(resolve) }),
  );

  const escalate = withExample(verb(noun, 'escalate', 'hand it to a human'), 'It touches the budget.');
  const reason = takesText(escalate, { what: 'why', asks: 'Why should a human decide it?' });
  run(escalate, async (line, id = '') =>
    (await import('./escalate.js')).escalate(line, id, { text: reason, retry: retries(escalate) }),
  );

  const graph = withRetry(noun.command('graph')).description('who waits for whom, with cycles marked');
  graph.addHelpText('after', '\nExample:\n  agentx clarify graph');
  run(graph, async (line) => (await import('./graph.js')).graph(line, { retry: retries(graph) }));

  // A non-blocking ask leaves this to a process of its own, and an interrupted ask leaves it to its user.
  const route = noun
    .command('route', { hidden: true })
    .description('have the target of a pending one asked, now')
    .argument('<id>', 'such as CLR-42-001')
    .addHelpText('after', '\nExample:\n  agentx clarify route CLR-42-001');
  run(route, async (line, id = '') => (await import('./route.js')).route(line, id));
};

function verb(noun: Command, name: string, description: string): Command {
  return withRetry(noun.command(name)).description(description).argument('<id>', 'such as CLR-42-001');
}

function withRetry(command: Command): Command {
  return command.option('--no-retry', 'report what is stale without asking its agent again');
}

function withExample(command: Command, message: string): Command {
  return command.addHelpText('after', `\nExample:\n  agentx clarify ${command.name()} CLR-42-001 -m "${message}"`);
}

/** `--no-retry` may stand before or after the verb. */
function retries(command: Command): boolean {
  const isOn = (one: Command | null) => one?.opts<{ retry?: boolean }>().retry !== false;
  return isOn(command) && isOn(command.parent);
}
