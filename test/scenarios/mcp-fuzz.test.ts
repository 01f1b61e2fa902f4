import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { agentx, aRepository } from './support/agentx.js';
import { callOf, INITIALIZE, raw } from './support/raw-mcp.js';
import { startServer } from './support/server.js';

/*
 * What a broken or hostile client sends: frames that are not JSON, not messages or too long, names and arguments of the
 * wrong type, and requests cancelled in the middle. Calls in between must be answered as if nothing had happened.
 */

const ISSUES = ['Health endpoint', 'Sign in', 'Export'].map((title) => ({ title, labels: ['type:feature'] }));
const repository = () => aRepository({ issues: ISSUES });

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
type Message = Readonly<Record<string, unknown>>;

/** A client of 2026-07-28 says in each request who it is. */
function modern({ params, ...message }: Message & { readonly params: object }): Message {
  return { ...message, params: { ...params, _meta: MODERN } };
}

const text = fc.constantFrom(
  '',
  'x',
  '\u0000',
  '\ud800',
  '__proto__',
  '../../etc/passwd',
  '\u001b[31m',
  'y'.repeat(5_000),
);
const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, -1, 0, 1.5, 2 ** 53, [], {}));
const TOOLS = ['get_issue', 'ask_human', 'request_clarification', 'get_question', 'remember', 'list_ready', 'nope'];
const FIELDS = ['issue', 'questions', 'to', 'topic', 'question', 'id', 'wait_seconds', 'content', 'from', 'blocking'];
const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'prompts/get',
  'initialize',
  'ping',
  'tasks/get',
  'nope',
];

const args = fc.dictionary(fc.constantFrom(...FIELDS.filter((name) => name !== 'wait_seconds')), anything);
const wrongCall = fc
  .tuple(fc.constantFrom(...TOOLS), fc.oneof(args, anything))
  .map(([name, args]) => JSON.stringify(callOf(`wrong-${name}`, name, args)));
const wrongMessage = fc
  .record(
    { jsonrpc: fc.constantFrom('2.0', '1.0', 2), id: anything, method: fc.constantFrom(...METHODS), params: anything },
    { requiredKeys: [] },
  )
  .map((message) => JSON.stringify(message));
const wrongFrame = fc.oneof(
  fc.string().map((frame) => frame.replaceAll('\n', '')),
  fc.constantFrom('{', '[]', 'null', '7', '[{"jsonrpc":"2.0","id":"batch","method":"ping"}]', '{"a":'.repeat(9_000)),
  fc.constantFrom(
    '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
    `{"jsonrpc":"2.0","id":${'9'.repeat(400)},"method":"ping"}`,
  ),
);
const junk = fc.oneof(wrongCall, wrongMessage, wrongFrame);

type Step = { readonly junk: string } | { readonly issue: number; readonly isCancelled: boolean };
const steps = fc.array(
  fc.oneof(
    junk.map((frame): Step => ({ junk: frame })),
    fc.record({ issue: fc.integer({ min: 1, max: ISSUES.length }), isCancelled: fc.boolean() }),
  ),
  { minLength: 300, maxLength: 300 },
);
const [STEPS = []] = fc.sample(steps, { seed: 42, numRuns: 1 });
const TEN_MB = `{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"${'y'.repeat(10_000_000)}"}}`;

describe.each(['2025-11-25', '2026-07-28'])('frames of a broken client of revision %s', (revision) => {
  it('end nothing, and every good call among them gets its own answer', { timeout: 180_000 }, async () => {
    const cwd = await repository();
    const { send, lines, child } = raw(cwd, ['--wait', '1']);
    const dressed = (message: Message & { readonly params: object }) =>
      revision === '2026-07-28' ? modern(message) : message;
    if (revision === '2025-11-25') send(INITIALIZE);
    const questions = new Map<string, { readonly issue: number; readonly isCancelled: boolean }>();
    STEPS.forEach((step, index) => {
      if (index === 100) send(`${TEN_MB}\n`);
      if ('junk' in step) {
        send(`${step.junk}\n`);
        return;
      }
      const id = `good-${index}`;
      questions.set(id, step);
      send(dressed(callOf(id, 'get_issue', { issue: step.issue })));
      if (step.isCancelled) send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    });
    const answers = () => lines.map((line): { id?: unknown; result?: unknown } => JSON.parse(line));
    const answersTo = (id: string) => answers().filter((answer) => answer.id === id);
    const awaited = [...questions].filter(([, { isCancelled }]) => !isCancelled);
    await until(() => awaited.every(([id]) => answersTo(id).length > 0));
    for (const [id, { issue, isCancelled }] of questions) {
      const own = answersTo(id);
      expect(own.length, id).toBeLessThanOrEqual(1);
      if (isCancelled && own.length === 0) continue;
      expect(own[0]?.result, id).toMatchObject({ structuredContent: { issue: { number: issue } } });
    }
    expect(answers()).toContainEqual(expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) }));
    expect(child.exitCode).toBeNull();
    expect(agentx(cwd, ['doctor']).status).toBe(0);
  });
});

describe('frames of a broken client over HTTP', () => {
  it('are refused, and the next client is served', { timeout: 180_000 }, async () => {
    const server = await startServer(await repository());
    const post = (body: string) =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body,
      });
    for (const step of STEPS.slice(0, 100)) {
      if (!('junk' in step)) continue;
      const response = await post(step.junk);
      await response.text();
      expect(response.status, step.junk.slice(0, 200)).toBeLessThan(500);
    }
    expect((await post(TEN_MB)).status).toBe(413);
    const answer = await (await post(JSON.stringify(callOf(1, 'get_issue', { issue: 2 })))).text();
    expect(answer).toContain('Sign in');
  });
});
