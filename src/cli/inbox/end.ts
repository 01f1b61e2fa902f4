import type { CommandLine } from '../command-line.js';
import { goOn } from './go-on.js';
import { humanAct, reportSettled } from './settle.js';

export interface EndOptions {
  readonly revision?: string;
}

export async function decline(line: CommandLine, id: string, options: EndOptions): Promise<undefined> {
  const result = await line.app().declineQuestion(humanAct(line, 'decline', { id, ...options }));
  reportSettled(line, result);
  return goOn(line, result);
}

export async function dismiss(line: CommandLine, id: string, options: EndOptions): Promise<undefined> {
  const result = await line.app().dismissQuestion(humanAct(line, 'dismiss', { id, ...options }));
  reportSettled(line, result);
  return goOn(line, result);
}
