import type { App } from '../app/app.js';
import type { Caller } from './caller.js';
import type { Sdk } from './load-sdk.js';
import type { Routes } from './routes.js';

export interface McpOptions {
  readonly version: string;
  /** Throws while there is no `.agentx` folder: a client may start us anywhere, and a call then reports the error. */
  readonly app: () => App;
  readonly caller: Omit<Caller, 'client'>;
  readonly routes: Routes;
  /** The longest that a call may wait, if the person who installed us said so. */
  readonly maxSeconds?: number;
}

export interface Serving extends McpOptions {
  readonly sdk: Sdk;
  /** Whether the client says who it is in each request, as since 2026-07-28. */
  readonly isModern: boolean;
  /** Whether we can send requests to the client. */
  readonly canRequest: boolean;
}
