import { AgentXError } from '../../protocol/errors.js';
import type { Question } from '../../protocol/question.js';
import { plainLine } from '../../render/plain-text.js';
import { canAsk } from '../can-ask.js';
import type { CommandLine } from '../command-line.js';
import { findQuestionId } from '../find-id.js';
import { goOn } from './go-on.js';
import { humanAct, reportSettled, settling } from './settle.js';

export interface AnswerOptions {
  readonly question?: string;
  readonly option?: readonly string[];
  readonly revision?: string;
  readonly text: (line: CommandLine) => Promise<string | undefined>;
}

/** The answer that was given with the command; a person at a terminal who gave none is asked. */
export async function answer(line: CommandLine, typed: string, options: AnswerOptions): Promise<number | undefined> {
  const { question, option, revision } = options;
  const id = await findQuestionId(line.app(), typed);
  const act = humanAct(line, 'answer', revision === undefined ? { id } : { id, revision });
  const text = await options.text(line);
  if (option === undefined && text === undefined) {
    await line.app().completeInbox((said) => line.out.note(said));
    const asked = await line.app().showQuestion(id);
    if (!canAsk(line.out) || question !== undefined || revision !== undefined) throw noAnswer(asked);
    return (await import('./answer-in-place.js')).answerInPlace(line, asked);
  }
  const given = {
    ...act,
    ...(question === undefined ? {} : { questionId: question }),
    ...(option === undefined ? {} : { optionIds: option }),
    ...(text === undefined ? {} : { text }),
  };
  const result = await settling(line, id, () => line.app().answerQuestion(given));
  reportSettled(line, result);
  return goOn(line, result);
}

/** What to add, with what there is to choose from. */
function noAnswer({ id, questions }: Question): AgentXError {
  const choices = questions.map(({ id: part, options = [] }) => {
    const name = questions.length > 1 ? `${plainLine(part)}: ` : '';
    return `${name}${options.map((option) => `${plainLine(option.id)} (${plainLine(option.label)})`).join(', ')}`;
  });
  const ways = [
    ...(questions.length > 1 ? ['--question ID'] : []),
    ...(questions.some(({ options = [] }) => options.length > 0) ? ['--option LETTER'] : []),
    '-m TEXT or -F FILE (- is stdin)',
  ];
  const letters = ways.includes('--option LETTER') ? ` The options: ${choices.join('; ')}.` : '';
  const problem = `What is the answer? Add ${ways.join(', ')}.${letters} See: agentx inbox show ${id}`;
  return new AgentXError('INVALID_INPUT', problem, { questionId: id, allowed: ways });
}
