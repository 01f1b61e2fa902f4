import type { Question } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';

interface AskingHumans {
  /** What caused it: asked again, it is the same question. */
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  /** Who waits for the agent's answer, outermost first and the agent last. */
  readonly chain: readonly string[];
  /** What it was to answer. */
  readonly clarificationId: string;
  readonly reply: Reply;
}

/** The inbox, for agents that are asked something and cannot say it without a human. */
export interface Humans {
  /** The question that waits for a human, and why something else was not asked. */
  ask(asking: AskingHumans): Promise<{
    readonly question?: Question;
    readonly refused?: { readonly code: string; readonly message: string };
  }>;
}
