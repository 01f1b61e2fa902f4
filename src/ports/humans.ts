import type { Question } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';

interface AskingHumans {
  /** Its cause: asking again gives the same question. */
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  /** Every agent that waits for the agent's answer, outermost first and the agent last. */
  readonly chain: readonly string[];
  /** The clarification that it was to answer. */
  readonly clarificationId: string;
  readonly reply: Reply;
}

/** The inbox, for targets that cannot answer without a human. */
export interface Humans {
  /** The question that waits for a human, and why something else was not asked. */
  ask(asking: AskingHumans): Promise<{
    readonly question?: Question;
    readonly refused?: { readonly code: string; readonly message: string };
  }>;
}
