import type {
  ElicitRequestFormParams,
  ElicitResult,
  InputRequiredResult,
  InputResponseView,
} from '@modelcontextprotocol/server';
import type { App } from '../app/app.js';
import type { Caller } from './caller.js';
import type { Routes } from './routes.js';

/** What a tool call works with. */
export interface Call {
  readonly app: App;
  readonly caller: Caller;
  /** The person at the client, who can perhaps be asked there. */
  readonly person: Person;
  readonly routes: Routes;
  /** The longest that this client waits for a result. */
  readonly maxSeconds: number;
  /** Aborted when the client gives up on this call. The question stays open. */
  readonly signal: AbortSignal;
  /** Tells the client, if it wants to know, that the call goes on. */
  report(): void;
}

/** The same content twice: some clients show their model only the text, others only the data. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly about?: Subject;
}

/** The question or the clarification that a result is about. */
export interface Subject {
  readonly id: string;
  /** Whether there is no answer yet. */
  readonly isOpen: boolean;
  /** Whether the agent that asked can do nothing else until the answer comes. */
  readonly isAwaited: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A result, or a form that the client shows to its person before it calls again. */
export type Outcome = ToolAnswer | { readonly form: InputRequiredResult };

/** How the person at the client can be asked there. */
export interface Person {
  /** For clients since 2026-07-28: the client shows the form and calls again, with the state that we gave it. */
  readonly form?: {
    readonly make: (form: ElicitRequestFormParams, state: string) => InputRequiredResult;
    readonly returned?: { readonly state: string; readonly response: InputResponseView };
  };
  /** For older clients: we send a request to the client while its call goes on. */
  readonly request?: (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult>;
  /** The call that is answered; the state that the client keeps is bound to it. */
  readonly tool: string;
  readonly args: unknown;
  /** The revision of the protocol. */
  readonly revision: string;
  /** What this connection has learnt about the person. */
  readonly known: { isAway: boolean };
}
