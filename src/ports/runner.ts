import type { Brief } from '../protocol/brief.js';
import type { Reply } from '../protocol/reply.js';

export interface TurnOptions {
  /** Run, step and number of a work turn: what the agent asks from inside it is known by this. */
  readonly turn?: string;
  /** Nobody waits for the reply any more: whatever was started is to be ended. */
  readonly signal?: AbortSignal;
  /** Hears what a program wrote beside its reply, whether it succeeded or not. */
  readonly onStderr?: (text: string) => void;
}

/** What turns a brief into an agent's reply: a command, a script, a model, a person. */
export interface Runner {
  /** Rejects with AGENT_ERROR if the agent failed, took too long or said something that is not a reply. */
  run(brief: Brief, options?: TurnOptions): Promise<Reply>;
  /** A person: asked through the inbox, not by calling `run`. */
  readonly isHuman?: boolean;
}

/** The runner that the configuration gives to an agent; CONFIG_ERROR if it gives none. */
export type RunnerFor = (agent: string) => Runner;
