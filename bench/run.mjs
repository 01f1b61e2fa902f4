import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/build.mjs';
import { packageExtension } from '../scripts/build-extension.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = `${HERE}dist`;

const BENCHMARKS = {
  asking: {
    about: 'texts that leave something open, told from clear ones, against a list of weak words',
    entryPoints: { asking: `${HERE}asking.ts` },
  },
  lock: {
    about: 'many processes that change one ledger, against other ways to do so',
    entryPoints: { lock: `${HERE}lock.ts`, 'lock-worker': `${HERE}lock-worker.ts` },
  },
  cli: {
    about: 'commands from start to exit, against a bare Node',
    entryPoints: { cli: `${HERE}cli.ts`, 'github-server': `${HERE}github-server.ts` },
  },
  editor: {
    about: 'activation and trees of the extension in a real VS Code, against an empty extension with a bare list',
    entryPoints: { editor: `${HERE}editor.ts` },
    before: packageExtension,
  },
  loop: {
    about: 'a step of an agentic loop, durable, against the bare loop of `ai` and LangGraph, on the same local model',
    entryPoints: { loop: `${HERE}loop.ts`, 'loop-server': `${HERE}loop-server.ts` },
  },
  github: {
    about: 'rounds mirrored to GitHub, against the same requests by bare octokit',
    entryPoints: { github: `${HERE}github.ts`, 'github-server': `${HERE}github-server.ts` },
  },
  hub: {
    about: 'the clarification and the question cycle, against bare synced updates, LangGraph and the AI SDK',
    entryPoints: { hub: `${HERE}hub.ts` },
  },
  limits: {
    about: 'reading, writing, locking and checking, against the times that the specification allows',
    entryPoints: { limits: `${HERE}limits.ts` },
  },
  mcp: {
    about: 'an agent of a client that asks another one, against a bare SDK server, and the start of both',
    entryPoints: {
      mcp: `${HERE}mcp.ts`,
      'mcp-worker': `${HERE}mcp-worker.ts`,
      'mcp-bare': `${HERE}mcp-bare.ts`,
      'mcp-http-bare': `${HERE}mcp-http-bare.ts`,
    },
  },
  answers: {
    about: 'finding an earlier answer again: precision and recall on labelled pairs',
    entryPoints: { answers: `${HERE}answers.ts` },
  },
  memory: {
    about: 'searching, loading and writing what is remembered, against SQLite FTS5, MiniSearch, FlexSearch and a scan',
    entryPoints: { memory: `${HERE}memory.ts` },
  },
  redaction: {
    about: 'secrets taken out of text: what is found, false alarms in ordinary code, speed',
    entryPoints: { redaction: `${HERE}redaction.ts` },
  },
  run: {
    about: 'whole runs against their bare synced writes, and turns of programs against starting them',
    entryPoints: { run: `${HERE}run.ts` },
  },
  server: {
    about: 'answers and pages over HTTP and events over WebSocket, against bare hono and bare ws',
    entryPoints: { server: `${HERE}server.ts`, 'server-worker': `${HERE}server-worker.ts` },
  },
  sweep: {
    about: 'finding the active records among many ledgers, against a bare readdir + stat',
    entryPoints: { sweep: `${HERE}sweep.ts` },
  },
};

/** Bundles one benchmark and runs it in a process of its own; resolves to its exit code. */
export async function runBenchmark([name, ...options]) {
  if (!Object.hasOwn(BENCHMARKS, name ?? '')) return explain(name);
  await BENCHMARKS[name].before?.();
  // Packages stay outside of the bundle, so that those that are measured are found in bench/node_modules.
  await bundle({ entryPoints: BENCHMARKS[name].entryPoints, outdir: OUTPUT, packages: 'external' });
  return run(`${OUTPUT}/${name}.js`, options);
}

function explain(name) {
  if (name !== undefined) console.error(`Unknown benchmark '${name}'.`);
  console.error('Usage: npm run bench -- <benchmark> [--json] [--quick] [--seconds N]\n');
  for (const [benchmark, { about }] of Object.entries(BENCHMARKS)) console.error(`  ${benchmark.padEnd(10)}${about}`);
  return 2;
}

function run(program, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...options], { stdio: 'inherit' });
    // The child removes its folders and ends its workers; this process waits until it has done so.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
