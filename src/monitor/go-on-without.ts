import { route } from '../hub/conversation.js';
import type { RoutePorts } from '../hub/ports.js';
import { whoWaitsFor } from '../hub/who-waits.js';
import { canGoOn } from '../protocol/awaiting.js';
import { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';

export interface GoOnOptions {
  /** False starts no targets: it only says which could go on. */
  readonly retry?: boolean;
  /** Prints a line for the user who waits while an agent works. */
  readonly announce?: (line: string) => void;
}

/**
 * Has clarifications go on whose questions were not answered in time, and returns what prevented it. If targets are not
 * or cannot be started, the command that goes on is announced.
 */
export async function goOnWithout(
  ports: RoutePorts,
  questions: readonly Question[],
  { retry = true, announce = () => {} }: GoOnOptions = {},
): Promise<readonly AgentXError[]> {
  const failures: AgentXError[] = [];
  const attempt = async (work: () => Promise<void>, orElse: () => void = () => {}) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      failures.push(error);
      orElse();
    }
  };
  for (const { id } of questions) {
    await attempt(async () => {
      for (const clarificationId of await whoWaitsFor(ports, id)) {
        const say = () => announce(canGoOn(clarificationId));
        if (!retry) {
          say();
          continue;
        }
        announce(`${clarificationId} waited for ${id}, which nobody answered in time: asking once more...`);
        await attempt(async () => {
          await route(ports, { clarificationId });
        }, say);
      }
    });
  }
  return failures;
}
