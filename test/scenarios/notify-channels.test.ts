import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { agentx, aRepository, spawnAgentx, startAgentx } from './support/agentx.js';
import { storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const HUMAN = '[agents.architect]\nrunner = "human"\n';
const ASK = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect'];

async function aRepositoryWith(config: string): Promise<string> {
  return aRepository({ config: `${HUMAN}${config}`, issues: [{ title: 'Health', labels: ['type:feature'] }] });
}

/** Asked by a process without the variables of the channels, which therefore sends nothing. */
function ask(cwd: string, question: string): string {
  const { stdout, stderr } = agentx(cwd, [...ASK, '--topic', question, '-q', question]);
  const id = /oq-\w+/.exec(`${stdout}${stderr}`)?.[0];
  if (id === undefined) throw new Error(`nothing was asked: ${stderr}`);
  return id;
}

/** It takes a message, and says so unless it is to keep silent. */
async function aMailServer() {
  const mails: string[] = [];
  const state = { isSilent: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
        if (!state.isSilent) done();
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = listening.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, state };
}

const MAIL = `
[[notify]]
channel = "mail"
url = "env:TEST_MAIL"
from = "env:TEST_FROM"
to = ["env:TEST_TO"]
gather_seconds = 0
timeout_seconds = 600
`;
const SLACK = '[[notify]]\nchannel = "slack"\nurl = "env:TEST_SLACK"\ngather_seconds = 0\ntimeout_seconds = 600\n';

describe('mail and Slack', () => {
  it('get the same again after a kill between sending and noting it, and nothing else twice [X-13/6]', async () => {
    const mail = await aMailServer();
    const slack = await aReceiver();
    const cwd = await aRepositoryWith(`${MAIL}${SLACK}`);
    const env = {
      TEST_MAIL: mail.url,
      TEST_FROM: 'agentx@example.com',
      TEST_TO: 'ann@example.com',
      TEST_SLACK: `${slack.url}/services/secret`,
    };
    const id = ask(cwd, 'Which database?');
    mail.state.isSilent = true;
    slack.react('hang');
    const sender = spawnAgentx(cwd, ['notify', 'send'], { env });
    await until(() => mail.mails.length === 1 && slack.received.length === 1);
    sender.kill();
    await sender.ended;
    mail.state.isSilent = false;
    await Promise.all([1, 2, 3].map(() => startAgentx(cwd, ['notify', 'send'], { env })));
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect(mail.mails).toHaveLength(2);
    const idOf = (text: string | undefined) => /^Message-ID: (.*)$/m.exec(text ?? '')?.[1];
    expect(idOf(mail.mails[1])).toContain(`${id}.opened`);
    expect(idOf(mail.mails[1])).toBe(idOf(mail.mails[0]));
    expect(mail.mails[0]).toContain('Which database?');
    expect(slack.received).toHaveLength(2);
    const [first, second] = slack.received.map(({ body }) => JSON.parse(body));
    expect(second.blocks.map(({ type }: { type: string }) => type)).toContain('header');
    expect(JSON.stringify(first)).toContain('Which database?');

    await startAgentx(cwd, ['inbox', 'answer', id, '-m', 'PostgreSQL']);
    await startAgentx(cwd, ['notify', 'send'], { env });
    expect(mail.mails).toHaveLength(3);
    expect(mail.mails[2]).toContain('Decided: PostgreSQL');
    expect(slack.received).toHaveLength(3);
  });
});

describe('a receiver that never answers', () => {
  it('keeps no other channel waiting, nor its own later news from being told once', async () => {
    const [slow, quick] = await Promise.all([aReceiver(), aReceiver()]);
    slow.react('hang');
    const table = (name: string, seconds: number) =>
      `[[notify]]\nchannel = "webhook"\nurl = "env:${name}"\ngather_seconds = 0\ntimeout_seconds = ${seconds}\n`;
    const cwd = await aRepositoryWith(`${table('TEST_SLOW', 600)}${table('TEST_QUICK', 600)}`);
    const env = { TEST_SLOW: slow.url, TEST_QUICK: quick.url };
    const server = await startServer(cwd, { env });
    const id = ask(cwd, 'Which database?');
    await until(() => slow.received.length === 1 && quick.received.length === 1);
    await startAgentx(cwd, ['inbox', 'answer', id, '-m', 'PostgreSQL']);
    await until(() => quick.received.length === 2);
    const idsIn = ({ received }: typeof quick) => received.map(({ body }) => JSON.parse(body).id);
    expect(idsIn(quick)).toEqual([`${id}.opened`, `${id}.answered`]);
    expect(idsIn(slow)).toEqual([`${id}.opened`]);
    // What has arrived and is not noted would be sent again.
    const sent = async () => (await storeOf(cwd).deliveries.read()).messages.filter(({ state }) => state === 'sent');
    await until(async () => (await sent()).length === 2);
    // The process is gone: whether the message arrived is not known, and by now it says what is not true any more.
    server.kill();
    await until(async () => {
      await startAgentx(cwd, ['notify', 'send'], { env });
      return slow.received.length > 1;
    });
    expect(idsIn(slow)).toEqual([`${id}.opened`, `${id}.answered`]);
    expect(idsIn(quick)).toHaveLength(2);
  });
});

describe('channels with settings of their own', () => {
  it('hear what they are for, and nothing in quiet hours [X-13/3]', async () => {
    const [agents, kinds, quiet, all] = await Promise.all([aReceiver(), aReceiver(), aReceiver(), aReceiver()]);
    const hour = new Date().getUTCHours();
    const clock = (hours: number) => `${String((hour + hours) % 24).padStart(2, '0')}:00`;
    const table = (name: string, more: string) =>
      `[[notify]]\nchannel = "webhook"\nurl = "env:${name}"\ngather_seconds = 0\n${more}\n`;
    const cwd = await aRepositoryWith(
      [
        table('TEST_AGENTS', 'agents = ["designer"]'),
        table('TEST_KINDS', 'kinds = ["open_question"]'),
        // The whole day but one hour, which is not near.
        table('TEST_QUIET', `quiet = "${clock(23)}-${clock(22)}"\ntime_zone = "UTC"`),
        table('TEST_ALL', 'kinds = ["escalation"]\nagents = ["engineer"]'),
      ].join(''),
    );
    const env = { TEST_AGENTS: agents.url, TEST_KINDS: kinds.url, TEST_QUIET: quiet.url, TEST_ALL: all.url };
    const id = ask(cwd, 'Which database?');
    await startAgentx(cwd, ['notify', 'send'], { env });
    await startAgentx(cwd, ['inbox', 'answer', id, '-m', 'PostgreSQL']);
    await startAgentx(cwd, ['notify', 'send'], { env });
    for (const silent of [agents, kinds, quiet]) expect(silent.received).toEqual([]);
    expect(all.received.map(({ body }) => JSON.parse(body).id)).toEqual([`${id}.opened`, `${id}.answered`]);
  });
});

describe('a signed link', () => {
  it('is spent by one use, of whichever process and however many come at once, and by no look at it [X-13/10]', async () => {
    const receiver = await aReceiver();
    const cwd = await aRepositoryWith('[[notify]]\nchannel = "webhook"\nurl = "env:TEST_HOOK"\ngather_seconds = 0\n');
    const env = { TEST_HOOK: receiver.url };
    const [one, other] = await Promise.all([startServer(cwd, { env }), startServer(cwd, { env })]);
    const id = ask(cwd, 'Which database?');
    await until(() => receiver.received.length > 0);
    const [{ data }] = receiver.received.map(({ body }) => JSON.parse(body));
    const token = data.choices[0].link.split('#choose=')[1];
    for (const method of ['GET', 'HEAD']) {
      for (const link of [`${data.link}?choose=${token}`, `${one.url}/inbox/${id}?choose=${token}`]) {
        expect((await fetch(link, { method })).status).toBeLessThan(500);
      }
      const api = `${one.url}/api/v1/projects/x/notifications/${id}/choice?choice=${token}`;
      expect((await fetch(api, { method })).status).toBeGreaterThanOrEqual(400);
    }
    const body = JSON.stringify({ choice: token });
    const strange = await fetch(`${one.url}/api/v1/projects/x/notifications/${id}/choice`, { method: 'POST', body });
    expect(strange.status).toBeGreaterThanOrEqual(400);

    const choose = (server: typeof one, choice: string) =>
      server.call('POST', `/notifications/${id}/choice`, { choice });
    const uses = await Promise.all([one, other, one, other].map((server) => choose(server, token)));
    expect(uses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    await Promise.all([one.stop(), other.stop()]);
    const third = await startServer(cwd, { env });
    expect(await choose(third, token)).toMatchObject({ status: 400 });
    const { body: shown } = await third.call<{ notification: { status: string } }>('GET', `/notifications/${id}`);
    expect(shown.notification.status).toBe('open');
  });
});
