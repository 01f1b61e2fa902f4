import * as z from 'zod/mini';
import type { Route } from './route.js';

type Json = Readonly<Record<string, unknown>>;

/** The description of the routes, from the same schemas that check requests. */
export function openApiOf(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = `/api/v1/projects/{p}${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'AgentX', version: '1', description: 'The clarification layer for teams of coding agents.' },
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'agentx_session_{port}_{project}' },
      },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
    },
  },
};

const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'The input is wrong; the message says where.',
  401: 'The token is missing.',
  403: 'Wrong host or origin.',
  404: 'There is no such thing.',
  405: 'The address knows other methods; the header Allow names them.',
  409: 'Another request was quicker, or the state does not allow it; the details show the present state.',
  413: 'The body is too large.',
  422: 'An agent may not ask this; the details name every condition that is not met.',
  429: 'Too often.',
  500: 'The store cannot be read or written.',
  502: 'An agent failed.',
  503: 'Another process was at it for too long.',
};

function operationOf(route: Route): Json {
  const { method, path, summary, params, query, body, response, status } = route;
  const id = `${method}${path.replace(/[^a-zA-Z]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  return {
    operationId: id,
    summary,
    parameters: [
      { name: 'p', in: 'path', required: true, schema: { type: 'string' }, description: "config.toml's project" },
      ...parametersOf(params, 'path'),
      ...parametersOf(query, 'query'),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }),
    responses: {
      [status]: { description: 'Done.', content: { 'application/json': { schema: schemaOf(response, 'output') } } },
      ...Object.fromEntries(
        Object.entries(PROBLEMS).map(([code, description]) => [
          code,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
    },
  };
}

function parametersOf(schema: z.core.$ZodType | undefined, place: 'path' | 'query'): readonly Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  if (typeof properties !== 'object' || properties === null || !Array.isArray(required)) return [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
