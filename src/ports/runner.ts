import type { Brief } from '../protocol/brief.js';
import type { QuestionOutcome } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';
import type { Transcript } from '../protocol/transcript.js';

/** The result of a tool call that a runner stopped at. */
export interface CallResult {
  /** As the reply named it, in `call` beside its question. */
  readonly call: string;
  readonly outcome: QuestionOutcome | 'pending' | 'abandoned' | 'refused';
  /** What the call returns to the model. */
  readonly text: string;
}

/** `usage` is that of the whole conversation so far. */
export type KeptTranscript = Pick<Transcript, 'format' | 'state' | 'usage'>;

/** What happens inside a turn, for people who watch and for the record. */
export type TurnProgress =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly tool: string; readonly about: string }
  | {
      readonly type: 'compacted';
      readonly originalTokens: number;
      readonly compactedTokens: number;
      readonly summary: string;
    };

/** What the program of an agent did beside its reply. */
export interface TurnReport {
  /** Files of the repository that it changed, made or removed. */
  readonly changed: readonly string[];
  /** What it wanted to do and was not allowed to, in sentences. */
  readonly denied: readonly string[];
  /** The file in which it keeps the conversation. */
  readonly transcriptFile?: string;
}

export interface TurnOptions {
  /** Run, step and number of a work turn: what the agent asks from inside it is recognised by this. */
  readonly turn?: string;
  /** Aborts when the reply is no longer wanted: whatever was started is to be ended. */
  readonly signal?: AbortSignal;
  /**
   * What the runner kept last in this conversation, in any process. If it does not know the `format`, it ignores the
   * transcript and starts from the brief.
   */
  readonly transcript?: KeptTranscript;
  /**
   * The results of all calls of this conversation. A call that the transcript stops at and that has no result was not
   * carried out: the runner asks again, with the same reply.
   */
  readonly results?: readonly CallResult[];
  /**
   * Durable when it resolves. A runner keeps every finished tool call before it begins the next one, so that no process
   * repeats it, and keeps its state before it stops and replies.
   */
  readonly keep?: (transcript: KeptTranscript) => Promise<void>;
  /** Called with what a program wrote to stderr, whether it succeeded or not. */
  readonly onStderr?: (text: string) => void;
  /** Called while the agent works. What it says here may still be withdrawn: only the reply counts. */
  readonly onProgress?: (progress: TurnProgress) => void;
  /** Called before the reply, by a runner whose program works on the repository itself. */
  readonly onReport?: (report: TurnReport) => void;
}

/**
 * Turns a brief into an agent's reply: a command, a script, a model, a person. A conversation with a model lasts over
 * several turns, those of a step or those of a target that has to ask before it can answer. Such a runner stops at a
 * tool call that asks: it keeps its messages and names the call in its reply. It goes on in its next turn, in this
 * process or another, with the answer as the result of that call.
 */
export interface Runner {
  /** Rejects with AGENT_ERROR if the agent failed, took too long or said something that is not a reply. */
  run(brief: Brief, options?: TurnOptions): Promise<Reply>;
  /** A person: asked through the inbox, not by calling `run`. */
  readonly isHuman?: boolean;
}

/**
 * An agent that is a function of the program which embeds AgentX: it returns a reply, or text as a program would print
 * it.
 */
export type RunnerFunction = (brief: Brief, turn: TurnOptions) => Reply | string | Promise<Reply | string>;

/** The runner that the configuration gives to an agent; CONFIG_ERROR if it gives none. */
export type RunnerFor = (agent: string) => Runner;
