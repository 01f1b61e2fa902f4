import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { aTeller } from '../../test/builders/teller.js';
import { aReceiver, aServerFor } from '../../test/support/receiver.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { runProgram } from '../agents/program.js';
import { NotifyTable } from '../protocol/notify.js';
import type { Question } from '../protocol/question.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { revived } from './after-sending.js';
import { type Channel, channelsOf } from './channel.js';
import { sendDesktop } from './desktop.js';
import { type Letter, letterOf } from './letter.js';
import { sendMail } from './mail.js';
import { resolved, type SendPorts } from './sender.js';
import { sendSlack } from './slack.js';
import { type NotifyPorts, Sending, tellPeople } from './tell-people.js';
import { sendWebhook } from './webhook.js';

/* Every channel, with a real receiver at the other end. */

const HOSTILE =
  '$(touch hacked) <!channel> *bold* <https://evil.example|click> & \u001b]0;title\u0007\rBcc: eve@example.com\r\n`x`';

const hostileQuestion = (): Question =>
  anExpiringQuestion({
    createdAt: '2026-02-26T10:00:00.000Z',
    questions: [
      {
        id: 'q1',
        text: HOSTILE,
        options: [
          { id: 'a', label: HOSTILE, description: '</b>' },
          { id: 'b', label: 'SQLite', recommended: true },
        ],
      },
    ],
  });

function aLetter(questions: readonly Question[]): Letter {
  const news = (question: Question) => ({ questionId: question.id, event: 'opened', key: 'opened' }) as const;
  return letterOf(
    questions.map((question) => ({ news: news(question), question })),
    { project: 'shop', now: '2026-02-26T10:00:30.000Z', page: 'http://127.0.0.1:4820', sign: () => 'TOKEN' },
  );
}

function aChannel(table: object) {
  const [channel] = channelsOf([NotifyTable.parse(table)]);
  return resolved(channel as Channel, {});
}

async function lookOnce(teller: NotifyPorts): Promise<void> {
  const { promise, resolve } = deferred();
  const sending = new Sending(resolve);
  await tellPeople(teller, sending);
  if (!sending.isOver) await promise;
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

function ports(more: Partial<SendPorts> = {}): SendPorts {
  const cwd = temporaryFolder();
  return { env: { TERM: 'xterm' }, cwd, root: cwd, runProgram, hasProgram: () => false, platform: 'linux', ...more };
}

describe('slack', () => {
  it('gets blocks with options and links, and nothing of an agent is markup [X-13/11]', async () => {
    const receiver = await aReceiver();
    const channel = aChannel({ channel: 'slack', url: receiver.url });
    expect(await sendSlack(aLetter([hostileQuestion()]), channel, ports())).toEqual({ outcome: 'sent' });
    const { text, blocks, mrkdwn } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(mrkdwn).toBe(false);
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toMatch(/[<>]/);
    expect(blocks.map(({ type }: { type: string }) => type)).toEqual([
      'header',
      'section',
      'section',
      'context',
      'actions',
    ]);
    const texts = JSON.stringify(blocks);
    expect(texts).not.toContain('mrkdwn');
    expect(texts).not.toContain('\\u001b');
    const buttons = blocks.at(-1).elements;
    expect(buttons.map(({ url }: { url: string }) => url)).toEqual([
      'http://127.0.0.1:4820/inbox/oq-1a2b3c4d#choose=TOKEN',
      'http://127.0.0.1:4820/inbox/oq-1a2b3c4d#choose=TOKEN',
      'http://127.0.0.1:4820/inbox/oq-1a2b3c4d',
    ]);
    for (const { text: label } of buttons) expect([...label.text].length).toBeLessThanOrEqual(75);
  });

  it('gets no more blocks than it takes', async () => {
    const receiver = await aReceiver();
    const many = Array.from({ length: 60 }, (_, index) => aQuestion({ id: `oq-${index}` }));
    await sendSlack(aLetter(many), aChannel({ channel: 'slack', url: receiver.url }), ports());
    const { blocks, text } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(text).toBe('60 questions wait for you in shop');
    expect(JSON.stringify(blocks)).toContain('And 45 more');
  });
});

describe('a receiver that says when to try again', () => {
  it.each([
    ['120', 120_000],
    [new Date(Date.now() + 600_000).toUTCString(), expect.closeTo(600_000, -6)],
    ['soon', undefined],
  ])('is believed: %s', async (retryAfter, retryAfterMs) => {
    const receiver = await aReceiver();
    receiver.react({ status: 429, retryAfter });
    const result = await sendSlack(aLetter([aQuestion()]), aChannel({ channel: 'slack', url: receiver.url }), ports());
    expect(result).toEqual({
      outcome: 'failed',
      error: 'the receiver replied 429',
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  });
});

/** A receiver that answers in its own way. */
async function aStrangeReceiver(answer: (response: ServerResponse) => void): Promise<string> {
  const url = await aServerFor((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  return `${url}/path-that-is-secret`;
}

describe('a strange receiver', () => {
  const send = (url: string, seconds = 60) =>
    sendWebhook(
      aLetter([aQuestion()]),
      aChannel({ channel: 'webhook', url, secret: 'hunter22', timeout_seconds: seconds }),
      ports(),
    );

  it('that redirects gets nothing sent elsewhere, and the user is told what to do', async () => {
    const other = await aReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await aStrangeReceiver((response) => response.writeHead(status, { location: other.url }).end());
      const error = expect.stringMatching(new RegExp(`replied ${status}, a redirection, which is not followed`));
      expect(await send(url)).toEqual({ outcome: 'refused', error });
    }
    expect(other.received).toEqual([]);
  });

  it('that sends megabytes, or closes in the middle, is listened to no longer than needed', async () => {
    const largeBody = 'x'.repeat(10_000_000);
    expect(await send(await aStrangeReceiver((response) => response.writeHead(200).end(largeBody)))).toEqual({
      outcome: 'sent',
    });
    const failedResult = await send(await aStrangeReceiver((response) => response.writeHead(500).end(largeBody)));
    expect(failedResult).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^the receiver replied 500: x+/),
    });
    expect('error' in failedResult && failedResult.error.length).toBeLessThan(300);
    const closing = await aStrangeReceiver((response) => {
      response.writeHead(500, { 'content-length': '1000' }).write('a beginning');
      setImmediate(() => response.destroy());
    });
    expect(await send(closing)).toMatchObject({ outcome: 'failed' });
  });

  it('that cannot be reached is told with the cause', async () => {
    const result = await sendWebhook(
      aLetter([aQuestion()]),
      aChannel({ channel: 'webhook', url: 'http://127.0.0.1:1' }),
      ports(),
    );
    // No browser, and no fetch, connects to port 1.
    expect(result).toEqual({ outcome: 'failed', error: 'the connection failed (bad port)' });
  });

  it('that never ends its reply is given up, and no message has a secret', async () => {
    const endless = await aStrangeReceiver((response) => {
      response.writeHead(500).write('hunter22 at /path-that-is-secret');
    });
    const silentUrl = await aStrangeReceiver(() => {});
    for (const url of [endless, silentUrl]) {
      const result = await send(url, 0.2);
      expect(result).toMatchObject({ outcome: 'failed', error: 'the receiver did not reply in time' });
    }
    const rudeUrl = await aStrangeReceiver((response) => {
      response.writeHead(400).end('hunter22 at /path-that-is-secret');
    });
    expect(await send(rudeUrl)).toEqual({ outcome: 'refused', error: 'the receiver replied 400: *** at ***' });
    const precise = await aStrangeReceiver((response) => response.writeHead(404).end('no hook XXXYYYZZZ/1 of k4711'));
    const error = 'the receiver replied 404: no hook *** of ***';
    expect(await send(`${precise}/XXXYYYZZZ%2F1?key=k4711`)).toEqual({ outcome: 'refused', error });
  });
});

interface Mail {
  readonly text: string;
  readonly to: readonly string[];
}

/** A real SMTP server on a free port that refuses the recipients that the test names. */
async function aMailServer(refuse?: (to: string) => Error | undefined) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => done(refuse?.(address)),
    onData(stream, { envelope }, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push({ text, to: envelope.rcptTo.map(({ address }) => address) });
        done();
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = listening.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails };
}

describe('mail', () => {
  const TABLE = { channel: 'mail', from: 'AgentX <agentx@example.com>', to: ['ann@example.com', 'bob@example.com'] };

  it('reaches every recipient as plain text, with headers of our own alone [X-13/11]', async () => {
    const server = await aMailServer();
    const channel = aChannel({ ...TABLE, url: server.url });
    expect(await sendMail(aLetter([hostileQuestion()]), channel, ports())).toEqual({ outcome: 'sent' });
    const [mail, ...others] = server.mails;
    expect(others).toEqual([]);
    expect(mail?.to).toEqual(['ann@example.com', 'bob@example.com']);
    const [head = '', ...body] = mail?.text.split('\r\n\r\n') ?? [];
    expect(head).not.toMatch(/^bcc:/im);
    expect(head).toMatch(/^Message-ID: <oq-1a2b3c4d\.opened\.[0-9a-f]{16}@agentx\.invalid>$/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(head).toMatch(/^Content-Type: text\/plain/m);
    const text = body.join('\n').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toContain('http://127.0.0.1:4820/inbox/oq-1a2b3c4d#choose=TOKEN');
    expect(text).toContain('nothing is sent until you say so');
  });

  it('that the server refuses for good is not tried again, anything else is', async () => {
    const refusing = (code: number) =>
      aMailServer(() => Object.assign(new Error('no such mailbox'), { responseCode: code }));
    const send = async (url: string) =>
      sendMail(aLetter([aQuestion()]), aChannel({ ...TABLE, url, timeout_seconds: 2 }), ports());
    expect(await send((await refusing(550)).url)).toMatchObject({ outcome: 'refused' });
    expect(await send((await refusing(451)).url)).toMatchObject({ outcome: 'failed' });
    const { url } = await aReceiver();
    expect(await send(url.replace('http', 'smtp'))).toMatchObject({ outcome: 'failed' });
    const secret = await send('smtp://ann:hunter22@127.0.0.1:1');
    expect(secret).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(secret)).not.toContain('hunter22');
  });

  it('that only some recipients can get is tried again for the others alone, unless they are refused for good [X-13/8]', async () => {
    const codes: Record<string, number> = { 'bob@example.com': 451, 'cem@example.com': 550 };
    const server = await aMailServer((to) => {
      const code = codes[to];
      return code === undefined ? undefined : Object.assign(new Error('not now'), { responseCode: code });
    });
    const store = openInMemoryStore();
    await store.questions.create(anExpiringQuestion());
    const { clock, ports: tellerPorts } = aTeller(store);
    // The first address ends like the second.
    const to = ['ann-bob@example.com', 'bob@example.com', 'cem@example.com'];
    const table = { ...TABLE, to, url: server.url, gather_seconds: 0, when: ['opened'] };
    const teller = { ...tellerPorts, channels: channelsOf([NotifyTable.parse(table)]) };
    const message = async () => {
      await lookOnce(teller);
      return (await store.deliveries.read()).messages;
    };
    expect(await message()).toMatchObject([{ state: 'waiting', left: [1, 2] }]);
    clock.advance(2_000);
    expect(await message()).toMatchObject([{ state: 'waiting', left: [1, 2] }]);
    delete codes['bob@example.com'];
    clock.advance(10_000);
    expect(await message()).toMatchObject([{ state: 'dead', left: [2] }]);
    // A person who has it sent again means those who have not got it.
    delete codes['cem@example.com'];
    const next = revived(await store.deliveries.read(), () => true, Date.parse(clock.now()));
    await store.deliveries.update(() => ({ next, result: undefined }));
    expect(await message()).toMatchObject([{ state: 'sent' }]);
    expect(server.mails.map((mail) => mail.to)).toEqual([to.slice(0, 1), to.slice(1, 2), to.slice(2)]);
  });

  it('says why there is no connection', async () => {
    // No client trusts the certificate that it has by default.
    const server = new SMTPServer({ authOptional: true, logger: false });
    server.on('error', () => {});
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
    const { port } = listening.address() as AddressInfo;
    const sending = (query: string) =>
      sendMail(aLetter([aQuestion()]), aChannel({ ...TABLE, url: `smtp://127.0.0.1:${port}${query}` }), ports());
    expect(await sending('')).toEqual({
      outcome: 'failed',
      error: expect.stringMatching(/^no connection to the mail server: .*certificate/),
    });
    expect(await sending('?ignoreTLS=true')).toEqual({ outcome: 'sent' });
  });

  it('is given up where the server talks without end', async () => {
    const server = createServer((socket) => {
      const timer = setInterval(() => socket.write('220-still here\r\n'), 20);
      socket.on('error', () => {}).on('close', () => clearInterval(timer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const channel = aChannel({ ...TABLE, url: `smtp://127.0.0.1:${port}`, timeout_seconds: 0.5 });
    expect(await sendMail(aLetter([aQuestion()]), channel, ports())).toMatchObject({ outcome: 'failed' });
  });
});

/** A program that writes down its arguments. */
function aProgram(cwd: string, name: string, code = 0): void {
  const script = `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(join(cwd, 'arguments.json'))}, JSON.stringify(process.argv.slice(2)));process.exit(${code});\n`;
  writeFileSync(join(cwd, name), script);
  chmodSync(join(cwd, name), 0o755);
}

describe('the desktop', () => {
  it.each([
    ['linux', 'notify-send', ['--app-name=AgentX', '--']],
    ['darwin', 'osascript', ['-e', 'on run argv', '-e']],
  ])('on %s shows the question by %s, as arguments [X-13/11]', async (platform, program, begin) => {
    const cwd = temporaryFolder();
    aProgram(cwd, program);
    const env = { PATH: `${cwd}:${process.env.PATH ?? ''}` };
    const channel = aChannel({ channel: 'desktop' });
    const result = await sendDesktop(
      aLetter([hostileQuestion()]),
      channel,
      ports({ cwd, env, platform, hasProgram: (name) => name === program }),
    );
    expect(result).toEqual({ outcome: 'sent' });
    const programArguments: string[] = JSON.parse(readFileSync(join(cwd, 'arguments.json'), 'utf8'));
    expect(programArguments.slice(0, begin.length)).toEqual(begin);
    const [title = '', body = ''] = programArguments.slice(-2);
    expect(title).toContain('$(touch hacked)');
    expect([...title].every((character) => character >= ' ')).toBe(true);
    if (program === 'notify-send') expect(body).not.toMatch(/[<>]/);
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });

  it.each([
    [{ TERM: 'xterm-256color' }, '\u001b]9;AgentX: ', '\u0007'],
    [{ TERM: 'xterm-256color', VTE_VERSION: '7000' }, '\u001b]777;notify;AgentX;', '\u0007'],
    [{ TERM: 'foot' }, '\u001b]777;notify;AgentX;', '\u0007'],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/x' }, '\u001bPtmux;\u001b\u001b]9;AgentX: ', '\u0007\u001b\\'],
  ])('is a sequence of the terminal where there is no program: %j', async (env, begin, end) => {
    let writtenText = '';
    const terminal = (text: string) => {
      writtenText += text;
    };
    const result = await sendDesktop(
      aLetter([hostileQuestion()]),
      aChannel({ channel: 'desktop' }),
      ports({ env, terminal }),
    );
    expect(result).toEqual({ outcome: 'sent' });
    expect(writtenText.startsWith(begin)).toBe(true);
    expect(writtenText.endsWith(end)).toBe(true);
    const inner = writtenText.slice(begin.length, -end.length);
    expect([...inner].every((character) => character >= ' ' && character !== '\u007f')).toBe(true);
    if (begin.includes('777')) expect(inner).not.toContain(';');
  });

  it('falls back to the terminal where the program fails, and says so where there is none', async () => {
    const cwd = temporaryFolder();
    aProgram(cwd, 'notify-send', 1);
    const env = { PATH: `${cwd}:${process.env.PATH ?? ''}`, TERM: 'xterm' };
    let writtenText = '';
    const failingPorts = ports({ cwd, env, hasProgram: () => true });
    const channel = aChannel({ channel: 'desktop' });
    const terminal = (text: string) => {
      writtenText += text;
    };
    expect(await sendDesktop(aLetter([aQuestion()]), channel, { ...failingPorts, terminal })).toEqual({
      outcome: 'sent',
    });
    expect(writtenText).toContain('Which database?');
    expect(await sendDesktop(aLetter([aQuestion()]), channel, failingPorts)).toMatchObject({ outcome: 'failed' });
    expect(await sendDesktop(aLetter([aQuestion()]), channel, ports({ env: { TERM: 'dumb' } }))).toMatchObject({
      outcome: 'refused',
    });
  });
});
