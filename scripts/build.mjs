import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundlePage } from './build-web.mjs';
import { bodiesOf, othersText, programText } from './link-program.mjs';

const INPUTS = [
  'src',
  'web',
  'scripts/build-web.mjs',
  'package.json',
  'scripts/build.mjs',
  'scripts/link-program.mjs',
  'scripts/launcher.cjs',
  'package-lock.json',
];

/** The commands that hooks and people call all day: what they use is kept together, and compiled in advance. */
const DAILY_COMMANDS = [
  ['ready'],
  ['clarify'],
  ['hook', 'start', 'engineer', '1'],
  ['hook', 'finish', 'engineer', '1'],
  ['state'],
  ['inbox'],
  ['mcp'],
];

/**
 * Its settings are a folder, which the system refuses to read. What says so is kept together with the daily commands: it
 * may be that no other file can be opened.
 */
const REFUSED_COMMAND = ['ready', '--root', 'refused'];

/** What they find in the repository. */
const PREPARATIONS = [
  ['init'],
  ['issue', 'create', '-t', 'Orders are lost on a timeout'],
  ['memory', 'add', '--agent', 'engineer', '--issue', '1', '-m', 'A timeout of the queue loses the order.'],
  ['memory', 'add', '--agent', 'engineer', '--issue', '1', '-m', 'A lost order is tried again after 30 seconds.'],
  ['memory', 'add', '--agent', 'architect', '--issue', '2', '-m', 'Orders are kept until the queue has them.'],
];

/** Bundles the command line and the library into dist/, unless dist/ is up to date with src/. */
export async function ensureBuilt() {
  await unlessCurrent('dist/.bundled-from', async () => {
    console.error('Building...');
    await bundle({ entryPoints: { index: 'src/index.ts' }, outdir: 'dist' });
    await bundleProgram();
    await bundlePage();
  });
}

/** The program: what commands of every day use, all the rest, what few commands need, and what starts it. */
async function bundleProgram() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const parts = new Map();
  for (const [source, name] of APART) parts.set(source, `./${await bundlePart(name, source)}`);
  const bodies = await bodiesOf(ENTRY, {
    outside: (name) => (isBuiltin(name) || name.startsWith('gpt-tokenizer/') ? name : parts.get(name)),
    compiler: {
      target: BUNDLED.target,
      define: { 'import.meta.dirname': '__dirname', AGENTX_VERSION: JSON.stringify(version) },
    },
    bundler: { ...BUNDLED, plugins: [loadedWhenUsed] },
  });
  const isDaily = usedEveryDay(bodies);
  const others = writePart('others', othersText(new Map([...bodies].filter(([name]) => !isDaily.has(name)))));
  const daily = new Map([...bodies].filter(([name]) => isDaily.has(name)));
  const program = writePart('agentx', programText(ENTRY, daily, `./${others}`));
  replaceFile('dist/agentx.cjs', readFileSync('scripts/launcher.cjs', 'utf8').replace('PROGRAM', program));
  // The same under its earlier name, for callers that use the path.
  replaceFile('dist/agentx.js', "#!/usr/bin/env node\nimport './agentx.cjs';\n");
  for (const launcher of ['dist/agentx.cjs', 'dist/agentx.js']) chmodSync(launcher, 0o755);
  tryDailyCommands('dist/agentx.cjs', { AGENTX_COMPILE: '1' });
  const current = [program, others, ...parts.values()].map((name) => basename(name));
  removeOldFiles('dist/program', (other) => current.some((name) => other.startsWith(name)));
}

const ENTRY = 'src/cli/main.ts';

/** The names of the modules that commands of every day evaluate: found by trying them with all modules in one file. */
function usedEveryDay(bodies) {
  // Another build may be at work in the same folder.
  const program = writePart(`whole-${process.pid}`, programText(ENTRY, bodies));
  const folder = mkdtempSync(join(tmpdir(), 'agentx-coverage-'));
  try {
    tryDailyCommands(`dist/program/${program}`, { NODE_V8_COVERAGE: folder });
    const scripts = readdirSync(folder).flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result);
    const functions = scripts.filter(({ url }) => url.endsWith(program)).flatMap(({ functions }) => functions);
    return new Set(functions.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName }) => functionName));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(`dist/program/${program}`);
  }
}

/** A source file with everything that it imports; its name in dist/program. */
async function bundlePart(name, source) {
  const { outputFiles } = await build({
    ...BUNDLED,
    entryPoints: [source],
    outfile: `${name}.cjs`,
    format: 'cjs',
    // The remaining calls of import() are for Node's own modules.
    supported: { 'dynamic-import': false },
    write: false,
  });
  return writePart(name, outputFiles[0].text);
}

/** Its name in dist/program, which holds a hash of its content. */
function writePart(name, text) {
  const file = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.cjs`;
  replaceFile(`dist/program/${file}`, text);
  return file;
}

/**
 * Large, and used by few commands: the compiled form of a file is read whole, so these are files of their own. Source
 * files that only import() names, and the names of their bundles.
 */
const APART = new Map([
  ['src/mcp/sdk.ts', 'mcp-sdk'],
  ['src/agents/model/sdk.ts', 'model-sdk'],
  ['src/notify/mailer.ts', 'mailer'],
  ['src/github/sdk.ts', 'github-sdk'],
]);

/**
 * Carries out the daily commands in a new repository. If one ends in another way than it should, it says so: tests find
 * out whether that matters.
 */
function tryDailyCommands(program, env) {
  const folder = mkdtempSync(join(tmpdir(), 'agentx-build-'));
  const carryOut = (command, extraEnv, expectedStatus = 0) => {
    const { status, stderr } = spawnSync(process.execPath, [resolve(program), ...command], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...extraEnv },
      encoding: 'utf8',
    });
    if (status !== expectedStatus) console.error(`'agentx ${command.join(' ')}' ends with ${status}: ${stderr}`);
  };
  try {
    for (const command of PREPARATIONS) carryOut(command);
    for (const command of DAILY_COMMANDS) carryOut(command, env);
    mkdirSync(join(folder, 'refused/.agentx/config.toml'), { recursive: true });
    carryOut(REFUSED_COMMAND, env, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Commander imports it for commands that are programs of their own; we have none. */
const loadedWhenUsed = {
  name: 'loaded-when-used',
  setup(builder) {
    const [path, namespace] = ['node:child_process', 'loaded-when-used'];
    builder.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path, namespace } : undefined,
    );
    builder.onLoad({ filter: /./, namespace }, () => ({
      contents: `export const spawn = (...args) => require('${path}').spawn(...args);`,
    }));
  },
};

/**
 * Carries out `work` if the inputs have changed since the stamp was written, or its result is gone; throws if it
 * fails.
 */
export async function unlessCurrent(stamp, work, inputs = INPUTS, result = stamp) {
  const currentStamp = fingerprint(inputs);
  if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === currentStamp) return;
  await work();
  replaceFile(stamp, currentStamp);
}

const BUNDLED = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  packages: 'bundle',
  // Its table is larger than everything else together, and only what writes an observation needs it.
  external: ['gpt-tokenizer/*'],
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Every output file is replaced whole, so that a program started from dist/ during a build never sees half of one. */
export async function bundle(options) {
  const { outputFiles } = await build({
    ...BUNDLED,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    ...options,
    write: false,
  });
  for (const file of outputFiles) replaceFile(file.path, file.contents);
  const current = new Set(outputFiles.map(({ path }) => basename(path)));
  removeOldFiles(join(options.outdir, 'chunks'), (name) => current.has(name));
}

/** A program started before this build may still load its files; after ten minutes it has. */
function removeOldFiles(folder, isCurrent) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    const isOld = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 10 * 60 * 1000;
    if (isOld && !isCurrent(name)) rmSync(path, { force: true });
  }
}

export function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addToHash(hash, path);
  return hash.digest('hex');
}

function addToHash(hash, path) {
  if (!statSync(path).isDirectory()) {
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
    return;
  }
  for (const name of readdirSync(path).sort()) if (!name.endsWith('.test.ts')) addToHash(hash, join(path, name));
}
