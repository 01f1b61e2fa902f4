import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anAssumption } from '../../test/builders/assumption.js';
import { aClarification } from '../../test/builders/clarification.js';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { openFileStore } from '../storage/files/store.js';
import { Access } from './access.js';
import { createHttp } from './http.js';
import { rateLimits } from './rate-limit.js';
import { ROUTES } from './serve.js';

const host = '127.0.0.1:4820';
const headers = { host, authorization: 'Bearer token', 'content-type': 'application/json' };
const RUNS = 60;

async function aServer() {
  const { root } = initFolder({ repository: temporaryFolder() });
  const store = openFileStore({ root });
  const app = createApp({ root, env: {}, store });
  await app.serverToken();
  await app.createIssue({ title: 'Health endpoint' });
  await store.questions.create(aQuestion({ id: 'oq-open' }));
  await store.questions.create(anExpiringQuestion({ id: 'oq-late' }));
  await store.ledgers.update(42, (ledger) => ({
    next: { ...ledger, clarifications: [aClarification({ id: 'CLR-42-001' })] },
    result: undefined,
  }));
  await store.assumptions.update(42, (file) => ({
    next: { ...file, assumptions_made: [anAssumption({ id: 'ASM-42-001' })] },
    result: undefined,
  }));
  const access = new Access({ token: 'token', hosts: [host], project: 'shop', principal: 'ada' });
  const http = createHttp({
    app,
    projectId: 'shop',
    access,
    routes: ROUTES,
    page: new Map(),
    limits: rateLimits(Date.now),
  });
  return http;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

const KNOWN = ['oq-open', 'oq-late', 'CLR-42-001', 'ASM-42-001', 'shop', 'q1', 'a', '2026-W09', '42'];
const HOSTILE = [
  '',
  '..',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '\u0000',
  '\u001b[2J',
  '%00',
  '\ud800',
  'x'.repeat(5000),
];
const text = fc.oneof(fc.constantFrom(...KNOWN, ...HOSTILE), fc.string({ unit: 'binary' }));

/** Values that fit a schema, nearly fit it, or do not fit it at all. */
function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fitting(schema, depth) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

function fitting({ type, enum: allowed, properties = {}, items = {} }: Schema, depth: number): fc.Arbitrary<unknown> {
  if (allowed !== undefined) return fc.constantFrom(...allowed);
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer({ min: -1, max: 50 }), fc.double());
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(depth > 3 ? fc.constant(null) : valuesOf(items, depth + 1), { maxLength: 3 });
  if (type === 'object') {
    const fields = Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, depth + 1)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  }
  return text;
}

const statuses = new Map<number, number>();

it.each(ROUTES.map(({ method, path }) => [method, path] as const))(
  '%s %s answers anything with a result or a refusal that says why',
  async (method, path) => {
    const http = await aServer();
    const api: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
      await (await http.request('/api/v1/openapi.json', { headers })).text(),
    );
    const operation = api.paths[`/api/v1/projects/{p}${path.replace(/:(\w+)/g, '{$1}')}`]?.[method];
    if (operation === undefined) throw new Error(`${method} ${path} is not described`);
    await fc.assert(
      fc.asyncProperty(requestsOf(operation, path), async ({ address, body }) => {
        const response = await http.request(address, {
          method: method.toUpperCase(),
          headers,
          ...(method === 'get' ? {} : { body: JSON.stringify(body) ?? '' }),
        });
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const answer: { error?: { code: string; message: string } } = JSON.parse(await response.text());
        expect(response.status, `${address} ${JSON.stringify(body)} ${JSON.stringify(answer)}`).toBeLessThan(500);
        if (response.status >= 400) expect(answer.error?.message).toMatch(/\S/);
        else expect(answer.error).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  },
);

it('is heard in both ways', () => {
  expect([...statuses.keys()].some((status) => status < 300)).toBe(true);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([400, 404]));
});

function requestsOf({ parameters, requestBody }: Operation, path: string) {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json'].schema ?? {};
  return fc
    .record({
      params: fc.array(text, { minLength: 3, maxLength: 3 }),
      project: fc.oneof({ weight: 9, arbitrary: fc.constant('shop') }, { weight: 1, arbitrary: text }),
      query: fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, valuesOf(schema)])), {
        requiredKeys: [],
      }),
      body: valuesOf(schema),
    })
    .map(({ params, project, query, body }) => {
      const rest = [...params];
      const filledPath = path.replace(/:\w+/g, () => encoded(rest.pop() ?? ''));
      const parameters = Object.entries(query).map(
        ([name, value]) => `${name}=${encoded(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
      );
      return { address: `/api/v1/projects/${encoded(project)}${filledPath}?${parameters.join('&')}`, body };
    });
}

/** A lone surrogate cannot be in an address. */
function encoded(part: string): string {
  return encodeURIComponent(Buffer.from(part).toString());
}
