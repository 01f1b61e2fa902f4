/* Starts `agentx serve`, asks it questions while its disk is remounted and filled under it, and reports what it answered. */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { configuration, endWithParent, report } from '../support/in-child.js';
import type { RemountedServerConfig, RemountedServerReport } from '../support/remounted-server.js';

const AT_ONCE = 4;
const ATTEMPTS = 100;
const { folder, agentx }: RemountedServerConfig = JSON.parse(configuration());
const [program, ...args] = agentx;
const env = { ...process.env, HOME: folder, AGENTX_TRUST: '1' };

endWithParent();
execFileSync(program, [...args, 'init'], { cwd: folder, env, stdio: 'ignore' });
for (let issue = 1; issue <= 5 * AT_ONCE; issue++) {
  execFileSync(program, [...args, 'issue', 'create', '-t', `Issue ${issue}`], { cwd: folder, env, stdio: 'ignore' });
}
const server = spawn(program, [...args, 'serve', '--port', '0'], {
  cwd: folder,
  env,
  stdio: ['ignore', 'ignore', 'pipe'],
});
process.on('exit', () => server.kill('SIGKILL'));
const [, url = '', token = ''] = await new Promise<readonly string[]>((resolve) => {
  createInterface({ input: server.stderr }).on('line', (line) => {
    const link = /(http:\S+?)\/#token=(\S+)/.exec(line);
    if (link !== null) resolve(link);
  });
});
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const { projectId } = await told(await fetch(`${url}/api/v1/session`, { headers }));
const notifications = `${url}/api/v1/projects/${String(projectId)}/notifications`;

let issueNumber = 1;
await askSeveral('as it was');
await remount('ro');
await askSeveral('read-only');
await remount('rw');
await askSeveral('writable again');
const filler = join(folder, 'filler');
fill();
await askSeveral('full');
rmSync(filler);
await askSeveral('with room again');
server.kill('SIGTERM');

async function askSeveral(disk: RemountedServerReport['disk']): Promise<void> {
  const numbers = Array.from({ length: AT_ONCE }, () => issueNumber++);
  const health = await untilHealth(disk === 'read-only' || disk === 'full' ? 500 : 200);
  for (const answer of await Promise.all(numbers.map(ask))) {
    const { error } = await told(answer);
    const { notifications: listed } = await told(await fetch(notifications, { headers }));
    const { code, message } = fieldsOf(error);
    report({ disk, status: answer.status, code, message, listed: lengthOf(listed), health });
  }
}

/** The disk is not tried with every look: what is expected comes in a moment, or never. */
async function untilHealth(status: number): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${url}/healthz`);
    const body = await answer.text();
    if (answer.status === status || attempt === ATTEMPTS) return `${answer.status} ${body}`;
    await sleep(50);
  }
}

/** To the last byte. */
function fill(): void {
  for (let size = 1024 * 1024; size >= 1; ) {
    try {
      appendFileSync(filler, Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 2);
    }
  }
}

function ask(number: number): Promise<Response> {
  const options = [{ label: '/health' }, { label: '/status' }];
  const question = { text: `Which endpoint is meant by issue ${number}?`, options };
  const body = {
    issueNumber: number,
    agent: 'coder',
    source: 'execute',
    sourceId: String(number),
    questions: [question],
  };
  return fetch(notifications, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function told(response: Response): Promise<Record<string, unknown>> {
  return JSON.parse(await response.text());
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Tried again while a file is being written: the server may be writing its log. */
async function remount(how: 'ro' | 'rw'): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      execFileSync('mount', ['-o', `remount,${how}`, folder], { stdio: 'ignore' });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(50);
    }
  }
}
