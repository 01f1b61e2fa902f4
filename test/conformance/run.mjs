/*
 * npm run conformance: the official suite and the inspector against the built program, over HTTP and stdio. The suite
 * needs Node 22, which comes from npm, and cannot send a token, which a proxy adds for it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const HERE = import.meta.dirname;
const AGENTX = resolve(HERE, '../../dist/agentx.cjs');
const NODE_22 = join(HERE, 'node_modules/node/bin/node');
const PATIENCE_MS = 300_000;
/** What the suite requires of each, frozen at its release. */
const REVISIONS = ['2025-11-25', '2026-07-28'];

export async function runConformance() {
  const folder = mkdtempSync(join(tmpdir(), 'agentx-conformance-'));
  const env = { PATH: `${join(HERE, 'node_modules/node/bin')}:${process.env.PATH}`, HOME: folder };
  const agentx = (...args) => spawnSync(process.execPath, [AGENTX, ...args], { cwd: folder, env });
  agentx('init');
  agentx('issue', 'create', '-t', 'Health endpoint');
  const server = spawn(process.execPath, [AGENTX, 'serve', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const [, url, token] = await linkOf(server);
    const proxy = await startProxy(new URL(url), token);
    const address = `http://127.0.0.1:${proxy.address().port}/mcp`;
    const start = (name, args) =>
      outcomeOf(spawn(NODE_22, [join(HERE, 'node_modules/.bin', name), ...args], { cwd: folder, env }));
    const codes = [];
    for (const revision of REVISIONS) {
      const baseline = join(HERE, `does-not-apply-${revision}.yaml`);
      const suite = ['server', '--url', address, '--requirements', revision, '--expected-failures', baseline];
      const { code, output } = await start('conformance', suite);
      console.log(`${revision}\n${output.slice(output.indexOf('=== SUMMARY')).trim()}`);
      codes.push(code);
    }
    const call = ['--method', 'tools/call', '--tool-name', 'get_issue', '--tool-arg', 'issue=1'];
    const overStdio = await start('mcp-inspector', ['--cli', process.execPath, AGENTX, 'mcp', ...call]);
    const header = ['--header', `Authorization: Bearer ${token}`];
    const overHttp = await start('mcp-inspector', ['--cli', `${url}/mcp`, '--transport', 'http', ...header, ...call]);
    for (const [name, { output }] of Object.entries({ stdio: overStdio, HTTP: overHttp })) {
      console.log(`inspector over ${name}: ${output.includes('Health endpoint') ? 'works' : `FAILED\n${output}`}`);
    }
    proxy.closeAllConnections();
    proxy.close();
    const isFound = [overStdio, overHttp].every(({ output }) => output.includes('Health endpoint'));
    return codes.every((code) => code === 0) && isFound ? 0 : 1;
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function linkOf(server) {
  let text = '';
  for await (const chunk of server.stderr.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const link = /(http:\/\/[\d.:]+)\/#token=(\S+)/.exec(text);
    if (link !== null) return link;
  }
  throw new Error(`The server did not start: ${text}`);
}

/** Names that the suite makes up for other hosts pass as they are: the server must refuse them. */
async function startProxy(target, token) {
  const proxy = createServer((incoming, response) => {
    const own = `127.0.0.1:${proxy.address().port}`;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    if (headers.host === own) headers.host = target.host;
    if (headers.origin === `http://${own}`) headers.origin = target.origin;
    const options = { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers };
    const outgoing = request(options, (answer) => answer.pipe(response.writeHead(answer.statusCode, answer.headers)));
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

async function outcomeOf(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const limit = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  return { code, output };
}
