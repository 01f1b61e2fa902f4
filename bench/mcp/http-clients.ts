import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { median, medianRatio } from '../statistics.js';

const CLIENTS = 32;
const running = new Set<ChildProcess>();
process.prependListener('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface HttpContender {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly tool: string;
  readonly args: object;
}

/** Calls per second of 32 clients that call at once, each one call after the other. */
export async function measureHttp(
  contenders: { ours: HttpContender; bare: HttpContender },
  rounds: number,
  sliceMs: number,
) {
  const [ours, bare] = [await start(contenders.ours), await start(contenders.bare)];
  const perSecond: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [await slice(bare, sliceMs), await slice(ours, sliceMs)];
    // The first round warms both.
    if (round === 0) continue;
    perSecond.bare.push(one);
    perSecond.ours.push(other);
  }
  const ratio = medianRatio(perSecond.ours, perSecond.bare);
  return { clients: CLIENTS, ours: median(perSecond.ours), bare: median(perSecond.bare), ratio };
}

async function slice(call: () => Promise<void>, sliceMs: number): Promise<number> {
  const started = performance.now();
  let calls = 0;
  const client = async () => {
    while (performance.now() - started < sliceMs) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return calls / ((performance.now() - started) / 1000);
}

async function start({ command, cwd, tool, args }: HttpContender): Promise<() => Promise<void>> {
  const [program = process.execPath, ...rest] = command;
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  const { port, token } = await linkOf(child);
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    'content-length': Buffer.byteLength(body),
  };
  return () =>
    new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, agent, method: 'POST', path: '/mcp', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          text.includes('structuredContent') && !text.includes('"isError":true')
            ? resolve()
            : reject(new Error(`${response.statusCode} ${text}`)),
        );
      });
      call.on('error', reject).end(body);
    });
}

async function linkOf(child: ChildProcess): Promise<{ readonly port: number; readonly token: string }> {
  let text = '';
  for await (const chunk of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    text += chunk;
    const [, port, token = ''] = /http:\/\/127\.0\.0\.1:(\d+)\/#token=(\S+)/.exec(text) ?? [];
    if (port !== undefined) return { port: Number(port), token };
  }
  throw new Error(`A server did not start: ${text}`);
}
