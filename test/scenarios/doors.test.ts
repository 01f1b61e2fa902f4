import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentXError } from '../../src/protocol/errors.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, aRepository, askArguments, openQuietly, untilLocksAreFree } from './support/agentx.js';
import { startServer } from './support/server.js';

/** As text: such a value cannot be written with JSON.stringify. */
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Values that no door lets in, as JSON, and the message about each. */
const UNSOUND = [
  ['"a\\u0000b"', /has a NUL character/],
  ['"a\\ud800b"', /has half of a character \(U\+D800\)/],
  ['"b\\udc00"', /has half of a character \(U\+DC00\)/],
] as const;

const ISSUE = { issues: [{ title: 'Health', labels: ['type:feature'] }] };

describe('data that cannot be stored is refused', () => {
  it('in a body of HTTP: too deep, NUL, halves of characters, no UTF-8 [CL-2/9]', async () => {
    const cwd = await aRepository(ISSUE);
    const { call, url, token } = await startServer(cwd);
    const request = { issueNumber: 1, agent: 'coder', source: 'execute', sourceId: '1' };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const depth of [201, 5_000]) {
      const body = JSON.stringify({ ...request, questions: [{ text: 'x', extra: '@' }] }).replace('"@"', nested(depth));
      const { project } = await openQuietly(join(cwd, '.agentx')).config();
      const answer = await fetch(`${url}/api/v1/projects/${project}/notifications`, { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: { code: 'INVALID_INPUT', message: expect.stringContaining('200 levels') },
      });
    }
    for (const [json, problem] of UNSOUND) {
      const text: unknown = JSON.parse(json);
      for (const question of [text, { text: 'x', options: [{ label: 'y', description: text }] }]) {
        const answer = await call('POST', '/notifications', { ...request, questions: [question] });
        expect(answer).toMatchObject({
          status: 400,
          body: { error: { code: 'INVALID_INPUT', message: expect.stringMatching(problem) } },
        });
      }
    }
    for (const body of ['{"name":"a\\u0000"}', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])]) {
      const { status } = await fetch(`${url}/api/v1/session`, { method: 'POST', headers, body });
      expect(status).toBe(400);
    }
    expect(await call('GET', '/digest?week=%00')).toMatchObject({ status: 400 });
    expect(await call('GET', '/notifications')).toMatchObject({ status: 200, body: { notifications: [] } });
  });

  it('in what a library call brings', async () => {
    const cwd = await aRepository(ISSUE);
    const app = openQuietly(join(cwd, '.agentx'));
    const by = { principal: 'ada', channel: 'cli' } as const;
    const ask = { issueNumber: 1, from: 'engineer', to: 'architect', blocking: true };
    const humans = { issueNumber: 1, agent: 'coder', source: 'execute', sourceId: '1' } as const;
    const { id } = await app.askHumans({ ...humans, questions: ['How long?'] });
    for (const [json] of UNSOUND) {
      const text: string = JSON.parse(json);
      const calls = [
        () => app.ask({ ...ask, topic: text, question: 'x' }),
        () => app.ask({ ...ask, topic: 'x', question: text }),
        () => app.createIssue({ title: text }),
        () => app.createIssue({ title: 'x', body: text }),
        () => app.commentIssue({ number: 1, body: text }),
        () => app.commentIssue({ number: 1, body: 'x', author: text }),
        () => app.askHumans({ ...humans, questions: [text] }),
        () => app.answerQuestion({ id, by, text }),
        () => app.answerQuestion({ id, by: { ...by, principal: text }, text: 'x' }),
        () => app.keepAlive({ id, by, responses: [{ questionId: 'q1', answer: text }] }),
      ];
      for (const call of calls) {
        const error: unknown = await call().then(String, (refused: unknown) => refused);
        expect(error instanceof AgentXError && error.code, `${String(call)}: ${error}`).toBe('INVALID_INPUT');
      }
    }
    const deep = app.askHumans({ ...humans, questions: [{ text: 'x', extra: JSON.parse(nested(5_000)) }] });
    await expect(deep).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await app.questions('open')).items).toMatchObject([{ id }]);
    await untilLocksAreFree();
  });

  it.each([
    ['{"answer":"a\\u0000b"}', 'has a NUL character'],
    ['{"answer":"a\\ud800b"}', 'has half of a character'],
    ['plain \\0 text', 'has a NUL character'],
    [`{"answer":"x","extra":${nested(5_000)}}`, 'nested more than 200 levels deep'],
  ])('in what an agent says: %s [CL-2/9]', async (reply, problem) => {
    const program = `process.stdout.write(${JSON.stringify(reply).replaceAll('\\\\0', '\\0')});`;
    const cwd = await aRepository({
      ...ISSUE,
      config: commandAgent('architect'),
      files: { 'architect.mjs': agentProgram(program) },
    });
    const ask = askArguments('T', 'Why?');
    const result = agentx(cwd, ask);
    expect(result.status).toBe(3);
    expect(result.stdout).toContain(problem);
    const { clarifications } = await openQuietly(join(cwd, '.agentx')).ledger(1);
    expect(clarifications).toMatchObject([{ status: 'escalated' }]);
  });

  it.each([
    ['config.toml', '\nproject = "a\\u0000b"\n', "'project' has a NUL character"],
    ['config.toml', `\nproject = ${'['.repeat(300)}${']'.repeat(300)}\n`, 'nested more than 200 levels deep'],
    ['config.toml', `\nproject = ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`, 'not valid TOML'],
    ['workflows/feature.toml', '[workflow]\nname = "a\\u0000"\n', "'workflow.name' has a NUL character"],
  ])('in %s', async (file, text, problem) => {
    const cwd = await aRepository(ISSUE);
    const path = join(cwd, '.agentx', file);
    const before = readFileSync(path, 'utf8').replace(/^project = .*$/m, '');
    writeFileSync(path, file === 'config.toml' ? `${text}${before}` : text);
    const { status, stderr } = agentx(cwd, ['run', '1']);
    expect(status).toBe(2);
    expect(stderr).toContain(problem);
  });

  it('in a file of the state: it is damaged, everything else goes on, and a repair saves the rest', async () => {
    const cwd = await aRepository({ ...ISSUE, config: '[agents.architect]\nrunner = "human"' });
    const ask = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '-q', 'Why?', '--topic'];
    for (const topic of ['First', 'Second']) agentx(cwd, [...ask, topic]);
    const path = join(cwd, '.agentx/state/clarifications/issue-1.json');
    const ledger = readFileSync(path, 'utf8');
    for (const [from, to, problem] of [
      ['"First"', '"Fir\\u0000st"', /damaged: .*topic has a NUL character/],
      ['"First"', '"Fir\\ud800st"', /damaged: .*topic has half of a character/],
      ['"First"', `"First", "extra": ${nested(5_000)}`, /damaged: .*nested more than 200 levels deep/],
    ] as const) {
      writeFileSync(path, ledger.replace(from, to));
      const shown = agentx(cwd, ['clarify', 'show', 'clr-1-2']);
      expect(shown).toMatchObject({ status: 1, stderr: expect.stringMatching(problem) });
      expect(agentx(cwd, ['inbox']).status).toBe(0);
    }
    // The question of the record that is lost is left for a human to put away.
    agentx(cwd, ['doctor', '--repair']);
    expect(agentx(cwd, ['clarify', 'show', 'clr-1-2', '--json']).json()).toMatchObject({ topic: 'Second' });
  });

  it('in a file that -F names', async () => {
    const cwd = await aRepository(ISSUE);
    writeFileSync(join(cwd, 'text'), 'a\0b');
    const refused = agentx(cwd, ['issue', 'comment', '1', '-F', 'text']);
    expect(refused).toMatchObject({ status: 2, stderr: 'error: The comment has a NUL character.\n' });
    expect(agentx(cwd, ['issue', 'create', '-t', 'x', '-F', '-'], { input: 'a\0b' }).status).toBe(2);
  });
});

describe('an error', () => {
  it('says what it means: a port that is taken is a conflict, an address that is none is bad input', async () => {
    const cwd = await aRepository();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const taken = agentx(cwd, ['serve', '--port', port, '--json']);
    await new Promise((resolve) => other.close(resolve));
    expect(taken.status).toBe(1);
    expect(taken.json()).toMatchObject({ error: { code: 'CONFLICT', details: { code: 'EADDRINUSE' } } });
    const nowhere = agentx(cwd, ['serve', '--host', '203.0.113.7', '--allow-remote', '--port', '0', '--json']);
    expect(nowhere.status).toBe(2);
    expect(nowhere.json()).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  });
});
