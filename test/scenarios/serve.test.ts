import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/protocol/issue.js';
import type { Question } from '../../src/protocol/question.js';
import { aQuestion } from '../builders/question.js';
import { until } from '../support/until.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';
import { aRunnable, fileOf, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';
import { onTerminal } from './support/terminal.js';

interface Board {
  readonly ready: readonly Issue[];
  readonly blocked: readonly { readonly issue: Issue; readonly reason: string }[];
}
interface Notification {
  readonly notification: Question;
}

async function aFolder(...questions: readonly Question[]): Promise<string> {
  const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
  const folder = join(cwd, '.agentx/state/questions');
  mkdirSync(folder, { recursive: true });
  for (const question of questions) writeFileSync(join(folder, `${question.id}.json`), JSON.stringify(question));
  return cwd;
}

const IMPLEMENT = '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "coder"\n';

describe('agentx serve', () => {
  it('carries an unclear task from the coder to a person and back [OQ-4/1] [OQ-5/1] [OQ-5/2] [OQ-5/3] [OQ-6/1] [OQ-6/2] [OQ-6/3] [OQ-6/4] [OQ-6/5] [OQ-6/6]', async () => {
    const cwd = await aRunnable({
      steps: IMPLEMENT,
      config: commandAgent('coder'),
      files: {
        'coder.mjs': agentProgram(`
          const [answer] = brief.answers;
          if (answer) reply({ status: 'done', artifacts: [{ path: 'database.txt', content: answer.answer }] });
          else reply({ status: 'failed', open_questions: [{ id: 'q1', text: 'Which database: PostgreSQL or SQLite?' }] });
        `),
      },
    });
    // Nothing goes on by itself, so that the test can look at the states in between.
    const server = await startServer(cwd, { args: ['--no-run'] });
    const client = await server.listen();
    expect((await server.call<Board>('GET', '/ready')).body.ready).toMatchObject([{ number: 1 }]);

    expect((await startAgentx(cwd, ['run', '1', '--no-wait'])).status).toBe(3);
    const added = await client.until('notification.added');
    expect(added).toMatchObject({
      notification: { source: 'execute', sourceId: '1', status: 'open', questions: [{ id: 'q1' }] },
    });
    expect(await client.until('task.updated', { status: 'blocked' })).toMatchObject({
      taskId: '1',
      assignee: null,
      block_reason: 'Open Question',
    });
    expect((await server.call<Board>('GET', '/ready')).body).toMatchObject({
      ready: [],
      blocked: [{ issue: { number: 1, assignee: null, block_reason: 'Open Question' } }],
    });
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [] });

    const [open] = (await server.call<{ notifications: Question[] }>('GET', '/notifications')).body.notifications;
    const { id = '', revision } = open ?? {};
    const body = { revision, responses: [{ questionId: 'q1', answer: 'SQLite' }] };
    const answered = await server.call<Notification>('PATCH', `/notifications/${id}`, body);
    expect(answered).toMatchObject({
      status: 200,
      body: { notification: { status: 'resolved', outcome: 'answered' } },
    });
    expect(await client.until('notification.resolved')).toMatchObject({
      notificationId: id,
      source: 'execute',
      sourceId: '1',
      outcome: 'answered',
    });
    expect(await client.until('task.updated', { status: 'open' })).toMatchObject({ taskId: '1', block_reason: null });
    expect((await server.call<Board>('GET', '/ready')).body).toMatchObject({ ready: [{ number: 1 }], blocked: [] });
    const seqs = client.messages.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right));
    expect(new Set(seqs).size).toBe(seqs.length);

    expect((await startAgentx(cwd, ['run', '1', '--no-wait'])).status).toBe(0);
    expect(fileOf(cwd, 'database.txt')).toBe('SQLite');
    const { comments } = (await storeOf(cwd).issues.read(1)) ?? {};
    expect(comments?.filter(({ body }) => body.includes('SQLite'))).toMatchObject([{ author: 'ada' }]);
  });

  it('wakes a run that waits, even if it is killed the moment it has acknowledged the answer [X-7/1] [X-5/4]', async () => {
    const cwd = await aRunnable({
      steps: IMPLEMENT,
      config: commandAgent('coder'),
      files: {
        'coder.mjs': agentProgram(`
          appendFileSync('turns', brief.step.turn + '\\n');
          const [answer] = brief.answers;
          if (answer) reply({ artifacts: [{ path: 'log.txt', content: answer.answer }] });
          else reply({ open_questions: ['How long are logs kept?'] });
        `),
      },
    });
    const server = await startServer(cwd);
    const client = await server.listen();
    const run = onTerminal(cwd, ['run', '1']);
    const added = await client.until('notification.added');
    const { id, revision } = Object(added.notification);
    const body = { revision, responses: [{ questionId: 'q1', answer: '30 days' }] };
    expect((await server.call('PATCH', `/notifications/${id}`, body)).status).toBe(200);
    server.kill();
    expect(await run.ended).toBe(0);
    expect(run.screen()).toContain('30 days');
    expect(fileOf(cwd, 'log.txt')).toBe('30 days');
    expect(fileOf(cwd, 'turns')).toBe('1\n2\n');
    const late = agentx(cwd, ['inbox', 'answer', id, '-m', 'For ever', '--json']);
    expect(late.json()).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(late.stderr).toContain('30 days');
  });

  it('takes one of two answers at the same instant and tells the other what won [X-5/1] [X-5/2] [X-5/3]', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `oq-race${index}`);
    const cwd = await aFolder(...ids.map((id) => aQuestion({ id, issueNumber: 1 })));
    const [first, second] = [await startServer(cwd), await startServer(cwd)];
    for (const id of ids) {
      const answers = await Promise.all(
        [first, second].map((server, index) =>
          server.call<Notification & { error: { code: string; details: { question?: Question } } }>(
            'PATCH',
            `/notifications/${id}`,
            {
              revision: 1,
              responses: [{ questionId: 'q1', optionIds: [index === 0 ? 'a' : 'b'] }],
            },
          ),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const won = answers.find(({ status }) => status === 200)?.body.notification;
      const lost = answers.find(({ status }) => status === 409)?.body.error;
      expect(lost?.code).toBe('CONFLICT');
      expect(lost?.details).toMatchObject({ question: { responses: won?.responses } });
      expect(await storeOf(cwd).questions.read(id)).toMatchObject({ responses: won?.responses ?? [] });
    }
    const old = { revision: 7, responses: [{ questionId: 'q1', answer: 'x' }] };
    expect((await first.call('PATCH', '/notifications/oq-nothing', old)).status).toBe(404);
    const comments = (await storeOf(cwd).issues.read(1))?.comments ?? [];
    expect(comments).toHaveLength(ids.length);
  });

  it('sees what another server and the command line do, and they see it [X-7/1] [X-7/2]', async () => {
    const cwd = await aFolder(
      aQuestion({ id: 'oq-page', issueNumber: 1 }),
      aQuestion({ id: 'oq-line', issueNumber: 1 }),
    );
    const [first, second] = [await startServer(cwd), await startServer(cwd)];
    const [here, there] = [await first.listen(), await second.listen()];
    const body = { revision: 1, responses: [{ questionId: 'q1', optionIds: ['a'] }] };
    await first.call('PATCH', '/notifications/oq-page', body);
    expect(await there.until('notification.resolved')).toMatchObject({
      notificationId: 'oq-page',
      answeredBy: { principal: 'ada', channel: 'web' },
    });
    expect(agentx(cwd, ['inbox', '--all']).stdout).toContain('answered by ada (web)');
    expect(agentx(cwd, ['inbox', 'answer', 'oq-line', '--option', 'b'], { env: { USER: 'grace' } }).status).toBe(0);
    for (const client of [here, there]) {
      expect(await client.until('notification.resolved', { notificationId: 'oq-line' })).toMatchObject({
        answeredBy: { principal: 'grace', channel: 'cli' },
      });
    }
    agentx(cwd, ['issue', 'create', '-t', 'Another']);
    expect(await here.until('task.updated', { taskId: '2' })).toMatchObject({ status: 'open' });
    agentx(cwd, ['state', 'set', 'engineer', 'working', '--issue', '1']);
    expect(await there.until('agent.status', { agent: 'engineer' })).toMatchObject({ status: 'working' });
    const bad = await second.call('PATCH', '/notifications/oq-line', body);
    expect(bad).toMatchObject({ status: 409 });
    expect(JSON.stringify(bad.body)).toContain('grace');
  });

  it('catches up after a reconnect, and says when it cannot [OQ-5/5]', async () => {
    const cwd = await aFolder(aQuestion({ id: 'oq-one', issueNumber: 1 }));
    const server = await startServer(cwd);
    const before = await server.listen();
    const { seq, epoch } = await before.until('hello');
    before.close();
    agentx(cwd, ['inbox', 'dismiss', 'oq-one']);
    const after = await server.listen(`?since=${seq}&epoch=${epoch}`);
    expect(await after.until('notification.resolved')).toMatchObject({
      notificationId: 'oq-one',
      outcome: 'dismissed',
    });
    const next = await startServer(cwd);
    await (await next.listen(`?since=${seq}&epoch=${epoch}`)).until('resync');
  });

  it('ends with 0 on SIGTERM, after answering what it was asked', async () => {
    const cwd = await aFolder(
      ...Array.from({ length: 40 }, (_, index) => aQuestion({ id: `oq-${index}`, issueNumber: 1 })),
    );
    const server = await startServer(cwd);
    const client = await server.listen();
    const body = { revision: 1, responses: [{ questionId: 'q1', optionIds: ['a'] }] };
    const calls = Array.from({ length: 40 }, (_, index) =>
      server.call<Notification>('PATCH', `/notifications/oq-${index}`, body).catch(() => undefined),
    );
    await client.until('notification.resolved');
    expect(await server.stop()).toBe(0);
    const answers = await Promise.all(calls);
    const store = storeOf(cwd);
    for (const [index, answer] of answers.entries()) {
      if (answer === undefined) continue;
      expect(answer.status).toBe(200);
      expect(await store.questions.read(`oq-${index}`)).toMatchObject({ status: 'resolved' });
    }
    expect(answers.some((answer) => answer !== undefined)).toBe(true);
  });

  it('applies a fallback once while two servers and three commands look [PM-4/11] [X-8/1]', async () => {
    const cwd = await aRunnable({
      steps: IMPLEMENT,
      config: `${commandAgent('coder')}\n`,
      files: {
        'coder.mjs': agentProgram(`
          const [answer] = brief.answers;
          if (answer) reply({ artifacts: [{ path: 'log.txt', content: answer.outcome + ': ' + answer.answer }] });
          else {
            reply({ open_questions: [{ text: 'How long are logs kept?', options: [{ id: 'a', label: '30 days' }],
              fallback: { optionId: 'a', reasoning: 'enough', risk: 'low' } }] });
          }
        `),
      },
    });
    setConfig(cwd, 'fallback_minutes', '0.02');
    const [first, second] = [await startServer(cwd), await startServer(cwd)];
    const [here, there] = [await first.listen(), await second.listen()];
    const commands = await Promise.all([
      onTerminal(cwd, ['run', '1']).ended,
      ...Array.from({ length: 3 }, async () => {
        const { status } = await until(async () => {
          const looked = await startAgentx(cwd, ['ready', '--json']);
          return (await storeOf(cwd).assumptions.read(1)).assumptions_made.length > 0 && looked;
        });
        return status;
      }),
    ]);
    expect(commands).toEqual([0, 0, 0, 0]);
    for (const client of [here, there]) {
      expect(await client.until('notification.resolved')).toMatchObject({
        outcome: 'fallback_applied',
        answeredBy: { channel: 'timeout' },
      });
    }
    const { assumptions_made } = await storeOf(cwd).assumptions.read(1);
    expect(assumptions_made).toMatchObject([{ id: 'ASM-1-001', user_response: 'timeout_assumed' }]);
    expect(fileOf(cwd, 'log.txt')).toContain('30 days');
  });

  it('listens on loopback for those who have the token, from here, and tells it to no other client [OQ-4/6]', async () => {
    const cwd = await aFolder();
    const server = await startServer(cwd);
    const { port } = new URL(server.url);
    expect(listeningOn(Number(port))).toEqual(['127.0.0.1']);
    const authorization = `Bearer ${server.token}`;
    const session = '/api/v1/session';
    const { projectId } = JSON.parse((await rawCall('GET', `${server.url}${session}`, { authorization })).body);
    for (const [path, headers, status] of [
      [session, { authorization }, 200],
      [session, {}, 401],
      [session, { authorization: 'Bearer wrong' }, 401],
      [`${session}?token=${server.token}`, {}, 401],
      [session, { authorization, host: 'evil.example' }, 403],
      ['/healthz', { host: `evil.example:${port}` }, 403],
    ] as const) {
      const { body, status: replyStatus } = await rawCall('GET', `${server.url}${path}`, headers);
      expect([path, headers, replyStatus]).toEqual([path, headers, status]);
      expect(body).not.toContain(server.token);
    }
    const login = await rawCall('POST', `${server.url}${session}`, { authorization, origin: server.url });
    const cookie = String(login.headers['set-cookie']?.[0]).split(';')[0] ?? '';
    const answer = `${server.url}/api/v1/projects/${projectId}/notifications/oq-none`;
    for (const [origin, status] of [
      [server.url, 404],
      ['http://evil.example', 403],
      [`http://127.0.0.1:${Number(port) + 1}`, 403],
    ] as const) {
      const { status: replyStatus } = await rawCall(
        'PATCH',
        answer,
        { cookie, origin },
        '{"revision":1,"decline":true}',
      );
      expect([origin, replyStatus]).toEqual([origin, status]);
    }
  });

  it('refuses an address that others can reach, and a port that is taken, with what to do', async () => {
    const cwd = await aFolder();
    const remote = agentx(cwd, ['serve', '--host', '0.0.0.0', '--port', '0']);
    expect(remote.status).toBe(2);
    expect(remote.stderr).toMatch(/0\.0\.0\.0 .*--allow-remote/s);
    const server = await startServer(cwd);
    const taken = agentx(cwd, ['serve', '--port', new URL(server.url).port]);
    expect(taken.status).toBe(1);
    expect(taken.stderr).toContain('--port 0');
    expect(agentx(cwd, ['serve', '--port', '99999']).status).toBe(2);
    expect(readFileSync(join(cwd, '.agentx/state/server-token'), 'utf8').trim()).toBe(server.token);
  });
});

/** The addresses on which this port is listened to, according to the system. */
function listeningOn(port: number): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => state === '0A' && local.endsWith(`:${hex}`))
      .map(([, local = '']) => (local.startsWith('0100007F:') ? '127.0.0.1' : local)),
  );
}

function setConfig(cwd: string, key: string, value: string): void {
  const path = join(cwd, '.agentx/config.toml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${value}`));
}

async function rawCall(method: string, url: string, headers: Readonly<Record<string, string>>, body = '') {
  const { request } = await import('node:http');
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const call = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}
