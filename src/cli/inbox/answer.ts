import { AgentXError } from '../../protocol/errors.js';
import type { Question } from '../../protocol/question.js';
import { plainLine } from '../../render/plain-text.js';
import { canAsk } from '../can-ask.js';
import type { CommandLine } from '../command-line.js';
import { goOn } from './go-on.js';
import { hasEnded, humanAct, reportSettled, settling } from './settle.js';

export interface AnswerOptions {
  readonly question?: string;
  readonly option?: readonly string[];
  readonly revision?: string;
  readonly text: (line: CommandLine) => Promise<string | undefined>;
}

/** The answer from the command line; without one, a person at a terminal is asked. */
export async function answer(line: CommandLine, typedId: string, options: AnswerOptions): Promise<number | undefined> {
  const { question, option, revision } = options;
  const id = await line.app().findId('question', typedId);
  const act = humanAct(line, 'answer', revision === undefined ? { id } : { id, revision });
  const text = await options.text(line);
  if (option === undefined && text === undefined) {
    await line.app().completeInbox(line.out.note, line.out.warn);
    const shownQuestion = await line.app().showQuestion(id);
    const { status, outcome } = shownQuestion;
    if (status === 'resolved' && outcome !== 'fallback_applied') throw hasEnded(line, shownQuestion);
    if (!canAsk(line.out) || question !== undefined || revision !== undefined) throw noAnswer(shownQuestion);
    return (await import('./answer-in-place.js')).answerInPlace(line, shownQuestion);
  }
  const humanAnswer = {
    ...act,
    ...(question === undefined ? {} : { questionId: question }),
    ...(option === undefined ? {} : { optionIds: option }),
    ...(text === undefined ? {} : { text }),
  };
  const result = await settling(line, id, () => line.app().answerQuestion(humanAnswer));
  reportSettled(line, result);
  return goOn(line, result);
}

/** Says which option to add, and the choices. */
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
