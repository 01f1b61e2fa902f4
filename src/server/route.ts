import type * as z from 'zod/mini';
import type { App } from '../app/app.js';
import { AgentXError } from '../protocol/errors.js';
import { parseWith, requireSound } from '../protocol/parse.js';
import type { Shape } from '../protocol/shape.js';

type Schema = z.core.$ZodType;

/** The input of a handler: everything in it has passed its schema. */
interface RouteInput<Params, Query, Body> {
  readonly app: App;
  /** The person at the other end, for provenance. */
  readonly principal: string;
  /** What entitles them: token or cookie. */
  readonly authority: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** One route as data: serving, checking and describing it use the same lines. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch';
  /** Below `/api/v1/projects/:p`, with `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly response: Schema;
  readonly status: 200 | 201;
  handle(raw: RawInput): Promise<unknown>;
}

interface RawInput {
  readonly app: App;
  readonly principal: string;
  /** What entitles them: token or cookie. */
  readonly authority: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Called only by routes that take a body. */
  readonly body: () => Promise<unknown>;
}

interface RouteDefinition<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>
  extends Omit<Route, 'handle' | 'status' | 'params' | 'query' | 'body' | 'response'> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: R;
  readonly status?: 200 | 201;
  readonly handle: (input: RouteInput<Shape<P>, Shape<Q>, Shape<B>>) => Promise<Shape<R>>;
}

export function defineRoute<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  definition: RouteDefinition<P, Q, B, R>,
): Route {
  const { params, query, body, handle, status = 200 } = definition;
  return {
    ...definition,
    status,
    async handle(raw) {
      return handle({
        app: raw.app,
        principal: raw.principal,
        authority: raw.authority,
        params: parsed(params, raw.params, 'The address'),
        query: parsed(query, raw.query, 'The query'),
        body: parsed(body, body === undefined ? undefined : await raw.body(), 'The body'),
      });
    },
  };
}

/** Without a schema nothing is taken over. */
function parsed<S extends Schema>(schema: S | undefined, value: unknown, what: string): Shape<S>;
function parsed(schema: Schema | undefined, value: unknown, what: string): unknown {
  return schema === undefined ? undefined : parseWith(schema, value, what);
}

/** JSON that a client sent; INVALID_INPUT if it is no JSON, or cannot be stored. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AgentXError('INVALID_INPUT', 'The body is no JSON.', {});
  }
  requireSound(value, 'The body');
  return value;
}
