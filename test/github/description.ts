import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type Json, objects, string } from '../wire/json.js';
import description from './description.json' with { type: 'json' };

/*
 * What GitHub publishes of its interface, as a judge: a request that GitHub would refuse, and a response that GitHub would
 * not give, are told in words. `scripts/github-description.mjs` writes the data.
 */

export interface Operation {
  /** As the description has it: `GET /repos/{owner}/{repo}/issues`. */
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export const OPERATION_NAMES: readonly string[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Undefined for what the program has no business with. */
export function operationOf(method: string, pathname: string): Operation | undefined {
  for (const { name, pattern } of PATTERNS) {
    const match = name.startsWith(`${method} `) ? pattern.exec(pathname) : null;
    if (match === null) continue;
    const entries = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name, parameters: Object.fromEntries(entries) };
  }
  return undefined;
}

/** Literal addresses before those with a parameter in the same place; numbers are digits. */
const PATTERNS = OPERATION_NAMES.map((name) => {
  const [, path = ''] = name.split(' ');
  const source = path.replace(/\{(\w+)\}/g, (_, key: string) =>
    key.endsWith('_number') || key.endsWith('_id') ? `(?<${key}>\\d+)` : `(?<${key}>[^/]+)`,
  );
  return { name, pattern: new RegExp(`^${source}$`) };
}).toSorted((left, right) => left.name.split('{').length - right.name.split('{').length);

export interface RequestToCheck {
  readonly operation: Operation;
  readonly query: URLSearchParams;
  /** Undefined where the request has none. */
  readonly body: unknown;
}

/** Why GitHub would refuse the request, or not understand a part of it. */
export function requestProblems({ operation, query, body }: RequestToCheck): readonly string[] {
  const { parameters, requestBody } = operationData(operation.name);
  const described = objects(parameters).map((parameter) => resolved(parameter));
  const problems: string[] = [];
  for (const [key, value] of query) {
    const parameter = described.find(({ name, in: place }) => name === key && place === 'query');
    if (parameter === undefined) problems.push(`has no parameter '${key}'`);
    else problems.push(...wrong(`parameter '${key}'`, parameter.schema, typed(value, parameter.schema)));
  }
  const schema = jsonSchemaIn(resolved(requestBody));
  if (schema === undefined && body !== undefined) problems.push('takes no body');
  if (schema !== undefined && (body !== undefined || resolved(requestBody).required === true)) {
    problems.push(...wrong('body', closed(schema), body));
  }
  return problems.map((problem) => `${operation.name} ${problem}`);
}

/** Why this is no response of GitHub's. */
export function responseProblems(operation: Operation, status: number, body: unknown): readonly string[] {
  const { responses } = operationData(operation.name);
  const response = isObject(responses) ? responses[String(status)] : undefined;
  if (response === undefined) return [`${operation.name} has no response ${status}`];
  const schema = jsonSchemaIn(resolved(response));
  if (schema === undefined) return body === undefined ? [] : [`${operation.name} answers ${status} without a body`];
  return wrong(`response ${status}`, schema, body).map((problem) => `${operation.name} ${problem}`);
}

function operationData(name: string): Json {
  const [method = '', path = ''] = name.split(' ');
  const paths: Json = description.paths;
  const item = paths[path];
  const operation = isObject(item) ? item[method.toLowerCase()] : undefined;
  if (!isObject(operation)) throw new Error(`Not in the description: ${name}`);
  return operation;
}

function resolved(value: unknown): Json {
  if (!isObject(value)) return {};
  const [, , kind = '', name = ''] = string(value.$ref).split('/');
  if (kind === '') return value;
  const components: Json = description.components;
  const group = components[kind];
  return resolved(isObject(group) ? group[name] : undefined);
}

function jsonSchemaIn(value: Json): Json | undefined {
  const content = isObject(value.content) ? value.content['application/json'] : undefined;
  return isObject(content) && isObject(content.schema) ? content.schema : undefined;
}

/** A body may have no key that the description does not know: GitHub would overlook it. */
function closed(schema: Json): Json {
  const target = resolved(schema);
  const either = objects(target.oneOf ?? target.anyOf);
  if (either.length > 0) return { ...target, [target.oneOf ? 'oneOf' : 'anyOf']: either.map(closed) };
  return isObject(target.properties) ? { additionalProperties: false, ...target } : target;
}

/** The text of an address as the type that the schema asks for. */
function typed(value: string, schema: unknown): unknown {
  const { type } = resolved(schema);
  if (type === 'integer' && /^\d+$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true';
  return value;
}

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'github', components: { schemas: asJsonSchema(description.components.schemas) } });
const compiled = new Map<string, ValidateFunction>();

function wrong(what: string, schema: unknown, value: unknown): readonly string[] {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(asSchema(asJsonSchema(schema)));
  compiled.set(key, validate);
  if (value === undefined) return [`${what} is missing`];
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
}

function asSchema(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** OpenAPI 3.0 says `nullable` where JSON Schema has a type of its own. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (!isObject(value)) return value;
  const { nullable, ...rest } = value;
  const schema = Object.fromEntries(
    Object.entries(rest).map(([key, one]) => [
      key,
      key === '$ref' ? string(one).replace('#/components', 'github#/components') : asJsonSchema(one),
    ]),
  );
  return nullable === true ? { anyOf: [{ type: 'null' }, schema] } : schema;
}
