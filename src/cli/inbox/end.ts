import type { CommandLine } from '../command-line.js';
import { humanAct, reportSettled } from './settle.js';

export interface EndOptions {
  readonly revision?: string;
}

export async function decline(line: CommandLine, id: string, options: EndOptions): Promise<undefined> {
  reportSettled(line, await line.app().declineQuestion(humanAct(line, 'decline', { id, ...options })));
}

export async function dismiss(line: CommandLine, id: string, options: EndOptions): Promise<undefined> {
  reportSettled(line, await line.app().dismissQuestion(humanAct(line, 'dismiss', { id, ...options })));
}
