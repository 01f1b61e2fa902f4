import type { App } from '../../src/app/app.js';
import type { Call, Person } from '../../src/mcp/call.js';
import type { Client } from '../../src/mcp/client.js';
import { Routes } from '../../src/mcp/routes.js';

interface CallFields {
  readonly client?: Partial<Client>;
  readonly person?: Partial<Person>;
}

/** A tool call of a client that was started by a person, waits 45 seconds, and cannot ask in place. */
export function aCall(app: App, { client, person }: CallFields = {}): Call {
  return {
    app,
    caller: {
      agent: undefined,
      issue: undefined,
      step: undefined,
      clarification: undefined,
      turn: undefined,
      principal: 'ada',
      isHeadless: false,
      client: { name: 'test-client', canAsk: false, hasTasks: false, ...client },
    },
    person: { tool: 'ask_human', args: {}, known: { isAway: false }, revision: '2025-11-25', ...person },
    routes: new Routes(),
    maxSeconds: 45,
    signal: new AbortController().signal,
    report: () => {},
  };
}
