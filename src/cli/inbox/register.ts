import type { Command } from 'commander';
import type { Register } from '../command-line.js';
import { takesOptionalText } from '../text.js';
import type { AnswerOptions } from './answer.js';

const EXAMPLES = `
Examples:
  agentx inbox                                       what waits for you
  agentx inbox show oq-1a2b3c4d                      one question, its options and what led to it
  agentx inbox answer oq-1a2b3c4d                    on a terminal: you are asked, here
  agentx inbox answer oq-1a --option a               choose; the beginning of an id is enough
  agentx inbox answer oq-1a2b3c4d -m "Neither: keep 90 days."
  agentx inbox decline oq-1a2b3c4d                   the agent goes on with an assumption, which is recorded
  agentx inbox snooze oq-1a2b3c4d 30m                no reminder for half an hour; the deadline stays`;

const ANSWER_EXAMPLES = `
Without an answer you are asked, where there is a terminal.

Examples:
  agentx inbox answer oq-1a2b3c4d --option b -m "until March"
  agentx inbox answer oq-19f2b3d0 --question q2 -F answer.md
  agentx inbox answer oq-1a2b3c4d -F - < answer.md`;

export const registerInbox: Register = (program, run) => {
  const noun = program
    .command('inbox')
    .description('what agents ask you')
    .enablePositionalOptions()
    .option('--all', 'include the ended ones')
    .addHelpText('after', EXAMPLES);
  run(noun, async (line) =>
    (await import('./list.js')).list(line, { all: noun.opts<{ all?: boolean }>().all === true }),
  );

  const show = withExample(verb(noun, 'show', 'one question, its options and the conversation behind it'));
  run(show, async (line, id = '') => (await import('./show.js')).show(line, id));

  const answer = withRevision(verb(noun, 'answer', 'answer it: choose, write, or both'))
    .option('--question <id>', 'which part, where there are several')
    .option('--option <letter...>', 'what you choose')
    .addHelpText('after', ANSWER_EXAMPLES);
  const text = takesOptionalText(answer, { what: 'what you say' });
  run(answer, async (line, id = '') => {
    const { question, option, revision } = answer.opts<Omit<AnswerOptions, 'text'>>();
    const answerOptions = { ...(question && { question }), ...(option && { option }), ...(revision && { revision }) };
    return (await import('./answer.js')).answer(line, id, { ...answerOptions, text });
  });

  const decline = withRevision(
    withExample(verb(noun, 'decline', 'you will not decide: the agent goes on with an assumption')),
  );
  run(decline, async (line, id = '') => (await import('./end.js')).decline(line, id, decline.opts()));

  const dismiss = withRevision(
    withExample(verb(noun, 'dismiss', 'not worth deciding: the agent goes on with an assumption')),
  );
  run(dismiss, async (line, id = '') => (await import('./end.js')).dismiss(line, id, dismiss.opts()));

  const snooze = verb(noun, 'snooze', 'be reminded later; the deadline stays')
    .argument('<time>', 'such as 30m, 2h or 1d; 0 ends it')
    .addHelpText('after', '\nExample:\n  agentx inbox snooze oq-1a2b3c4d 30m');
  run(snooze, async (line, id = '', time = '') => (await import('./snooze.js')).snooze(line, id, time));
};

function verb(noun: Command, name: string, description: string): Command {
  return noun.command(name).description(description).argument('<id>', 'such as oq-1a2b3c4d');
}

function withExample(command: Command): Command {
  return command.addHelpText('after', `\nExample:\n  agentx inbox ${command.name()} oq-1a2b3c4d`);
}

function withRevision(command: Command): Command {
  return command.option('--revision <number>', 'refuse if the question has changed since this revision');
}
