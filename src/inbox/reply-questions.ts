import type { Assumption } from '../protocol/assumption.js';
import type { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';
import type { Run } from '../protocol/run.js';

export interface ReplyQuestions {
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  /** Who waits for the agent's answer, outermost first and the agent last; the agent alone where nothing is said. */
  readonly chain?: readonly string[];
  /** The clarification that the agent was to answer. */
  readonly clarificationId?: string;
  readonly reply: Reply;
  readonly runId?: string;
  /** Of the run; without it, what the issue's run says. */
  readonly phase?: Run['phase'];
}

export interface TakenQuestions {
  readonly question?: Question;
  /** Why something was not asked; the agent goes on, and its next brief says so. */
  readonly refused?: Pick<AgentXError, 'code' | 'message' | 'details'>;
  /** With what it goes on, where the gate refused it. */
  readonly assumption?: Assumption;
}
