import { AgentXError } from '../../protocol/errors.js';
import type { CommandLine } from '../command-line.js';
import { goOn } from './go-on.js';
import { humanAct, reportSettled, settling } from './settle.js';

export interface AnswerOptions {
  readonly question?: string;
  readonly option?: readonly string[];
  readonly message?: string;
  readonly revision?: string;
}

export async function answer(line: CommandLine, id: string, options: AnswerOptions): Promise<number | undefined> {
  const { question, option, message, revision } = options;
  if (option === undefined && message === undefined) throw noAnswer(id);
  const act = humanAct(line, 'answer', revision === undefined ? { id } : { id, revision });
  const given = {
    ...act,
    ...(question === undefined ? {} : { questionId: question }),
    ...(option === undefined ? {} : { optionIds: option }),
    ...(message === undefined ? {} : { text: message }),
  };
  const result = await settling(line, id, () => line.app().answerQuestion(given));
  reportSettled(line, result);
  return goOn(line, result);
}

function noAnswer(id: string): AgentXError {
  const problem = `What is the answer? Choose with --option, write with -m, or both. See: agentx inbox show ${id.slice(0, 80)}`;
  return new AgentXError('INVALID_INPUT', problem);
}
