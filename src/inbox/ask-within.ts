import { chainWithin, noteAskedWithin } from '../hub/asked-within.js';
import { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import { type AskHumansRequest, askHumans } from './ask.js';
import type { AskHumansPorts } from './ports.js';

export interface AskWithinRequest extends Omit<AskHumansRequest, 'chain'> {
  /** The clarification that the agent is answering: its requester waits for the human, too. */
  readonly within?: string;
}

/** Asks humans on behalf of an agent that may be answering another one. */
export async function askWithin(ports: AskHumansPorts, { within, ...asking }: AskWithinRequest): Promise<Question> {
  if (!Array.isArray(asking.questions)) {
    throw new AgentXError('INVALID_INPUT', 'The questions are no list, so nothing is asked.');
  }
  const chain = within === undefined ? undefined : await chainWithin(ports, { within, agent: asking.agent });
  const { question } = await askHumans(ports, { ...asking, ...(chain && { chain }) });
  if (within !== undefined && chain !== undefined) await noteAskedWithin(ports, within, question.id);
  return question;
}
