import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ensureBuilt, unlessCurrent } from './build.mjs';

const { ensureInstalled } = createRequire(import.meta.url)('./install.cjs');

const node = process.execPath;
const bin = (name) => `node_modules/${name}`;
const vitest = [node, bin('vitest/vitest.mjs'), 'run'];
const biome = [node, bin('@biomejs/biome/bin/biome')];
/**
 * The native compiler checks in a fifth of the time; the other one is here for its API, with which tests parse source
 * files.
 */
const tsc = [node, bin('typescript-native/bin/tsc')];

const TASKS = {
  async start(args) {
    await ensureBuilt();
    return command([node, 'dist/agentx.js', 'demo', ...args]);
  },
  async build() {
    await ensureBuilt();
    await unlessCurrent('dist/.typed-from', async () => {
      // Files removed from the sources must not stay in the tarball.
      rmSync('dist/types', { recursive: true, force: true });
      if ((await command([...tsc, '-p', 'tsconfig.build.json'])) !== 0) throw new Error('The types do not build.');
    });
    return 0;
  },
  /** The .vsix of the editor extension. */
  async package() {
    const { packageExtension } = await import('./build-extension.mjs');
    console.log(await packageExtension());
    return 0;
  },
  async test(args) {
    await TASKS.build();
    return command([...vitest, ...args]);
  },
  'test:unit': (args) => command([...vitest, '--project', 'unit', ...args]),
  async 'test:faults'(args) {
    await ensureBuilt();
    return command([...vitest, '--project', 'faults', ...args], { AGENTX_FAULTS: 'long' });
  },
  async 'test:agents'(args) {
    await ensureBuilt();
    return command([...vitest, '--project', 'agents', ...args], { AGENTX_REAL_AGENTS: '1' });
  },
  async coverage(args) {
    await ensureBuilt();
    return command([...vitest, '--coverage', ...args]);
  },
  requirements: (args) =>
    command([...vitest, '--project', 'unit', 'test/requirements.test.ts'], {
      AGENTX_WRITE_REQUIREMENTS: args.includes('--write') ? '1' : '',
    }),
  fix: () => command([...biome, 'check', '--write', '.']),
  /** Everything a machine can say about the code without running it, in parallel. */
  async check() {
    await TASKS.build();
    const results = await Promise.all([
      command([...biome, 'check', '--error-on-warnings', '.']),
      command(tsc),
      command([...tsc, '-p', 'web']),
      command([...tsc, '-p', 'extension']),
      command([node, bin('knip/bin/knip.js'), '--no-progress']),
      command([node, bin('publint/src/cli.js'), '--level', 'warning', '--pack', 'false']),
      command([...vitest, '--project', 'unit', 'test/architecture.test.ts', 'test/requirements.test.ts']),
    ]);
    return Math.max(...results);
  },
  async bench(args) {
    ensureInstalled('bench');
    await ensureBuilt();
    const { runBenchmark } = await import('../bench/run.mjs');
    return runBenchmark(args);
  },
  /** What the official suite and the inspector say of the MCP server. */
  async conformance() {
    ensureInstalled('test/conformance');
    await ensureBuilt();
    const { runConformance } = await import('../test/conformance/run.mjs');
    return runConformance();
  },
};

export async function run(name, args) {
  // Ctrl-C reaches the child through the terminal; this process waits for it to end in its own way.
  process.on('SIGINT', () => {});
  const task = TASKS[name];
  if (!task) throw new Error(`Unknown task '${name}'. Known: ${Object.keys(TASKS).join(', ')}.`);
  process.exitCode = await task(args);
}

function command([program, ...args], extraEnvironment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...extraEnvironment } });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
