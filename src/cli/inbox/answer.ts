import type { CommandLine } from '../command-line.js';
import { humanAct, reportSettled } from './settle.js';

export interface AnswerOptions {
  readonly question?: string;
  readonly option?: readonly string[];
  readonly message?: string;
  readonly revision?: string;
}

export async function answer(line: CommandLine, id: string, options: AnswerOptions): Promise<undefined> {
  const { question, option, message, revision } = options;
  const act = humanAct(line, 'answer', revision === undefined ? { id } : { id, revision });
  const result = await line.app().answerQuestion({
    ...act,
    ...(question === undefined ? {} : { questionId: question }),
    ...(option === undefined ? {} : { optionIds: option }),
    ...(message === undefined ? {} : { text: message }),
  });
  reportSettled(line, result);
}
