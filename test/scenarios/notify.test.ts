import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aReceiver, type Receiver } from '../support/receiver.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { agentx, aRepository, askArguments, spawnAgentx, startAgentx } from './support/agentx.js';
import { startServer } from './support/server.js';

const HUMAN = '[agents.architect]\nrunner = "human"\n';
const WEBHOOK = `
[[notify]]
channel = "webhook"
url = "env:TEST_HOOK"
secret = "env:TEST_KEY"
gather_seconds = 0
`;
const KEY = 'a-key-that-is-nowhere-else';

const envOf = ({ url }: Receiver) => ({ TEST_HOOK: `${url}/path-that-is-secret`, TEST_KEY: KEY });
const eventsIn = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body));
const kindsIn = (receiver: Receiver) => eventsIn(receiver).map(({ id }) => id.replace(/^oq-[^.]+\./, ''));

/** A repository whose architect is a person, so that every question to it waits in the inbox. */
async function aRepositoryWith(config: string) {
  return aRepository({ config: `${HUMAN}${config}`, issues: [{ title: 'Health', labels: ['type:feature'] }] });
}

function ask(cwd: string, env: Readonly<Record<string, string>>, topic = 'db', question = 'Which database?'): string {
  const args = askArguments(topic, question);
  const { stderr, stdout } = agentx(cwd, args, { env });
  const id = /oq-\w+/.exec(`${stdout}${stderr}`)?.[0];
  if (id === undefined) throw new Error(`nothing was asked: ${stderr}`);
  return id;
}

describe('a webhook', () => {
  it('is told of a question and its end, once each, by whichever process is there [X-13/1] [X-13/6] [X-13/7]', async () => {
    const receiver = await aReceiver();
    const cwd = await aRepositoryWith(WEBHOOK);
    const env = envOf(receiver);
    // The command hands over, and two servers are there as well.
    await Promise.all([startServer(cwd, { env }), startServer(cwd, { env })]);
    const id = ask(cwd, env);
    await until(() => receiver.received.length > 0);
    await startAgentx(cwd, ['ready'], { env });
    await startAgentx(cwd, ['inbox', 'answer', id, '-m', 'PostgreSQL'], { env });
    await until(() => receiver.received.length > 1);
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect(kindsIn(receiver)).toEqual(['opened', 'answered']);
    const [opened] = eventsIn(receiver);
    expect(opened).toMatchObject({
      specversion: '1.0',
      id: `${id}.opened`,
      type: 'agentx.question.opened',
      subject: id,
      datacontenttype: 'application/json',
      data: { event: 'opened', question: { id, issueNumber: 1, kind: 'escalation', status: 'open' } },
    });
    expect(opened.data.link).toMatch(new RegExp(`^http://127.0.0.1:\\d+/inbox/${id}$`));
    for (const { headers, body } of receiver.received) {
      expect(headers['content-type']).toContain('application/cloudevents+json');
      expect(headers['x-agentx-signature']).toBe(createHmac('sha256', KEY).update(body).digest('hex'));
    }
    const record = readFileSync(join(cwd, '.agentx/state/notify.json'), 'utf8');
    const log = readFileSync(join(cwd, '.agentx/state/logs/agentx.log'), 'utf8');
    const { stdout: shown } = await startAgentx(cwd, ['notify', '--json'], { env });
    for (const text of [record, log, shown]) expect(text).not.toMatch(/path-that-is-secret|a-key-that-is-nowhere/);
  });

  it('is told by a process that the command starts, where no other is there', async () => {
    const receiver = await aReceiver();
    const cwd = await aRepositoryWith(WEBHOOK);
    const id = ask(cwd, envOf(receiver));
    await until(() => receiver.received.length > 0);
    expect(kindsIn(receiver)).toEqual(['opened']);
    await until(() => JSON.stringify(agentx(cwd, ['notify', '--json']).json()).includes('"sent"'));
    expect(agentx(cwd, ['notify']).stdout).toContain(`${id}.opened`);
  });

  it('gets the same again, under the same id, after a process was killed before the reply came [X-13/6]', async () => {
    const receiver = await aReceiver();
    receiver.react('hang');
    const cwd = await aRepositoryWith(WEBHOOK.replace('[[notify]]', '[[notify]]\ntimeout_seconds = 600'));
    const env = envOf(receiver);
    // Without the variables, nothing is sent yet.
    ask(cwd, {});
    const sender = spawnAgentx(cwd, ['notify', 'send'], { env });
    await until(() => receiver.received.length === 1);
    sender.kill();
    await sender.ended;
    await startAgentx(cwd, ['notify', 'send'], { env });
    await until(() => receiver.received.length === 2);
    await startAgentx(cwd, ['notify', 'send'], { env });
    const [first, second, ...others] = eventsIn(receiver);
    expect(second.id).toBe(first.id);
    expect(others).toEqual([]);
  });

  it('that fails is tried again; what it refuses is shown by doctor and sent again on request [X-13/8]', async () => {
    const receiver = await aReceiver();
    receiver.react(500, 'hang up', 410);
    const cwd = await aRepositoryWith(WEBHOOK);
    const env = envOf(receiver);
    const id = ask(cwd, {});
    // Two tries fail, two and ten seconds before the next; the third is refused for good.
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect(receiver.received).toHaveLength(3);
    expect(new Set(eventsIn(receiver).map((event) => event.id)).size).toBe(1);
    const doctor = await startAgentx(cwd, ['doctor'], { env });
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toContain(`agentx notify retry ${id}.opened`);
    expect(doctor.stdout).toContain('the receiver replied 410: told by ***');
    expect(doctor.stdout).not.toContain('path-that-is-secret');
    receiver.react(503);
    expect(await startAgentx(cwd, ['notify', 'retry', `${id}.opened`], { env })).toMatchObject({ status: 1 });
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect((await startAgentx(cwd, ['notify', 'retry'], { env })).stdout).toContain('nothing to send again');
    expect((await startAgentx(cwd, ['doctor'], { env })).stdout).not.toContain('not delivered');
    const missing = await startAgentx(cwd, ['notify', 'retry', 'oq-nothing.opened'], { env });
    expect(missing).toMatchObject({ status: 4 });
  });

  it('gets one digest for ten questions at once [X-13/4]', async () => {
    const receiver = await aReceiver();
    const cwd = await aRepositoryWith(WEBHOOK);
    const ids = Array.from({ length: 10 }, (_, index) =>
      ask(cwd, {}, `topic ${index}`, `Which colour has part ${index}?`),
    );
    await startAgentx(cwd, ['notify', 'send'], { env: envOf(receiver) });
    const [digest, ...others] = eventsIn(receiver);
    expect(others).toEqual([]);
    expect(digest.type).toBe('agentx.question.digest');
    expect(digest.data.events.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual(ids.toSorted());
  });

  it('hears nothing of a question that was answered before its rung of the ladder [X-13/2]', async () => {
    const receiver = await aReceiver();
    const cwd = await aRepositoryWith(
      WEBHOOK.replace('gather_seconds = 0', 'gather_seconds = 0\nafter_minutes = 0.02'),
    );
    const env = envOf(receiver);
    const first = ask(cwd, {});
    agentx(cwd, ['inbox', 'answer', first, '-m', 'PostgreSQL'], {});
    const second = ask(cwd, {}, 'cache', 'Which cache shall it be?');
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect(eventsIn(receiver).map(({ id }) => id)).toEqual([`${second}.opened`]);
  });
});

describe('a person who wants no reminder now', () => {
  it('snoozes a question in a terminal or by REST [X-13/5]', async () => {
    const receiver = await aReceiver();
    const cwd = await aRepositoryWith(WEBHOOK);
    const env = envOf(receiver);
    const id = ask(cwd, {});
    expect(agentx(cwd, ['inbox', 'snooze', id, '30m']).stdout).toContain('in 30:00');
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect(receiver.received).toEqual([]);
    expect(agentx(cwd, ['inbox', 'snooze', id, 'soon'])).toMatchObject({ status: 2 });
    expect(agentx(cwd, ['inbox', 'snooze', id, '10m'], { env: { AGENTX_AGENT: 'engineer' } })).toMatchObject({
      status: 1,
    });
    const server = await startServer(cwd);
    const refused = await server.call('PUT', `/notifications/${id}/snooze`, { minutes: -1 });
    expect(refused.status).toBe(400);
    const { body } = await server.call<{ notification: object }>('PUT', `/notifications/${id}/snooze`, { minutes: 0 });
    expect(body.notification).not.toHaveProperty('snoozed');
    await server.stop();
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect(kindsIn(receiver)).toEqual(['opened']);
    agentx(cwd, ['inbox', 'dismiss', id]);
    const ended = agentx(cwd, ['inbox', 'snooze', id, '30m', '--json']);
    expect(ended).toMatchObject({ status: 1 });
    expect(ended.json()).toMatchObject({ error: { code: 'CONFLICT' } });
  });
});

describe('the links of a message', () => {
  it('hold no key, choose an option once, and answer nothing [X-13/10]', async () => {
    const receiver = await aReceiver();
    const cwd = await aRepositoryWith(WEBHOOK);
    const env = envOf(receiver);
    const server = await startServer(cwd, { env });
    const id = ask(cwd, env);
    await until(() => receiver.received.length > 0);
    const [{ data }] = eventsIn(receiver);
    expect(receiver.received[0]?.body).not.toContain(server.token);
    const { link, optionId } = data.choices[0];
    expect(link).toContain(`${data.link}#choose=`);
    const token = link.split('#choose=')[1];
    // Programs that look at links do no harm.
    await fetch(link);
    await fetch(link.replace('#', '?'));
    const choose = (choice: string, question = id) =>
      server.call('POST', `/notifications/${question}/choice`, { choice });
    expect(await choose(`${token.slice(0, -4)}AAAA`)).toMatchObject({ status: 400 });
    expect(await choose(token)).toMatchObject({ status: 200, body: { part: 'q1', optionId } });
    expect(await choose(token)).toMatchObject({ status: 400 });
    expect(await choose(token, 'oq-other')).toMatchObject({ status: 404 });
    const { body } = await server.call<{ notification: { status: string } }>('GET', `/notifications/${id}`);
    expect(body.notification.status).toBe('open');
  });
});

describe('a program of the user', () => {
  it('is started only after a person approved it, and gets the question as data [X-13/9] [X-13/11]', async () => {
    const program =
      'import { appendFileSync, readFileSync } from "node:fs"; appendFileSync("told.ndjson", readFileSync(0));';
    const config = `[[notify]]\nchannel = "command"\ncommand = ["${process.execPath}", "tell.mjs"]\ngather_seconds = 0\n`;
    const cwd = await aRepository({
      config: `${HUMAN}${config}`,
      files: { 'tell.mjs': program },
      issues: [{ title: 'Health', labels: ['type:feature'] }],
    });
    const hostile = 'Which one?\u001b[31m $(touch hacked) `touch hacked` "; touch hacked #';
    const env = { HOME: temporaryFolder(), AGENTX_TRUST: '' };
    const id = ask(cwd, env, 'db', hostile);
    agentx(cwd, ['notify', 'send'], { env });
    expect(existsSync(join(cwd, 'told.ndjson'))).toBe(false);
    expect(agentx(cwd, ['notify'], { env }).stdout).toContain('it is not approved: agentx trust');
    expect(agentx(cwd, ['doctor'], { env }).stdout).toContain('agentx trust');
    const shown = agentx(cwd, ['trust', '--yes'], { env });
    expect(shown.stdout).toContain('tell.mjs (gets questions on stdin)');
    // The command that approved it has handed over, or this one sends.
    agentx(cwd, ['notify', 'send'], { env });
    await until(() => JSON.stringify(agentx(cwd, ['notify', '--json'], { env }).json()).includes('"sent"'));
    const [line, ...others] = readFileSync(join(cwd, 'told.ndjson'), 'utf8').trim().split('\n');
    expect(others).toEqual([]);
    const { data } = JSON.parse(line ?? '');
    expect(data.question).toMatchObject({ id, status: 'open' });
    expect(data.question.questions[0].text).toContain('$(touch hacked)');
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });
});
