import { messageOf } from '../protocol/errors.js';
import type { Workflow } from '../protocol/workflow.js';
import type { ResolvePorts } from './ports.js';

/** The record counts: what cannot be added to an artifact now is added with the next answer, or at a step's end. */
export async function writeDown(
  { writeAnswers, log }: Pick<ResolvePorts, 'writeAnswers' | 'log'>,
  issueNumber: number,
  workflow?: Workflow,
): Promise<void> {
  try {
    await writeAnswers?.(issueNumber, workflow);
  } catch (error) {
    log.warn(`What was clarified is not written yet: ${messageOf(error)}`, { issueNumber });
  }
}
