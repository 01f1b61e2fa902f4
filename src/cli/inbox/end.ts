import type { CommandLine } from '../command-line.js';
import { goOn } from './go-on.js';
import { humanAct, reportSettled, settling } from './settle.js';

export interface EndOptions {
  readonly revision?: string;
}

export async function decline(line: CommandLine, typedId: string, options: EndOptions): Promise<number | undefined> {
  const id = await line.app().findId('question', typedId);
  const act = humanAct(line, 'decline', { id, ...options });
  const result = await settling(line, id, () => line.app().declineQuestion(act));
  reportSettled(line, result);
  return goOn(line, result);
}

export async function dismiss(line: CommandLine, typedId: string, options: EndOptions): Promise<number | undefined> {
  const id = await line.app().findId('question', typedId);
  const act = humanAct(line, 'dismiss', { id, ...options });
  const result = await settling(line, id, () => line.app().dismissQuestion(act));
  reportSettled(line, result);
  return goOn(line, result);
}
