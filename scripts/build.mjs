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
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundlePage } from './build-web.mjs';

const INPUTS = [
  'src',
  'web',
  'scripts/build-web.mjs',
  'package.json',
  'scripts/build.mjs',
  'scripts/launcher.cjs',
  'package-lock.json',
];

/** Compiled in advance: the commands that hooks and people call all day. */
const COMPILED_COMMANDS = [
  ['init'],
  ['issue', 'create', '-t', 'An issue'],
  ['ready'],
  ['clarify'],
  ['hook', 'start', 'engineer', '1'],
  ['hook', 'finish', 'engineer', '1'],
  ['state'],
  ['inbox'],
  ['mcp'],
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

/** The program as one file that loads fast, what few commands need as others, and `agentx.cjs`, which starts it. */
async function bundleProgram() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const parts = new Map();
  for (const [source, name] of APART) parts.set(source, await bundlePart(name, { entryPoints: [source] }));
  const name = await bundlePart('agentx', {
    entryPoints: ['src/cli/main.ts'],
    plugins: [loadedWhenUsed, loadedApart(parts)],
    define: { 'import.meta.dirname': '__dirname', AGENTX_VERSION: JSON.stringify(version) },
  });
  replaceFile('dist/agentx.cjs', readFileSync('scripts/launcher.cjs', 'utf8').replace('PROGRAM', name));
  // The same under its earlier name, for callers that use the path.
  replaceFile('dist/agentx.js', "#!/usr/bin/env node\nimport './agentx.cjs';\n");
  for (const launcher of ['dist/agentx.cjs', 'dist/agentx.js']) chmodSync(launcher, 0o755);
  compileInAdvance();
  removeOldFiles('dist/program', (other) => [name, ...parts.values()].some((current) => other.startsWith(current)));
}

/** Its name in dist/program, which holds a hash of its content. */
async function bundlePart(name, options) {
  const { outputFiles } = await build({
    ...BUNDLED,
    outfile: `${name}.cjs`,
    format: 'cjs',
    // The remaining calls of import() are for Node's own modules.
    supported: { 'dynamic-import': false },
    ...options,
    write: false,
  });
  const text = outputFiles[0].text.replace(/^#!.*\n/, '');
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

const loadedApart = (parts) => ({
  name: 'loaded-apart',
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
      const source = relative('.', join(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '.ts');
      const part = kind === 'dynamic-import' ? parts.get(source) : undefined;
      return part === undefined ? undefined : { path: `./${part}`, external: true };
    });
  },
});

/** Each run adds what it used. A command that fails costs speed and nothing else, so the build goes on. */
function compileInAdvance() {
  const folder = mkdtempSync(join(tmpdir(), 'agentx-build-'));
  try {
    for (const command of COMPILED_COMMANDS) {
      const { status, stderr } = spawnSync(process.execPath, [resolve('dist/agentx.cjs'), ...command], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, AGENTX_COMPILE: '1' },
        encoding: 'utf8',
      });
      if (status !== 0) console.error(`'agentx ${command.join(' ')}' is not compiled in advance: ${stderr}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Slow to load and needed by few commands: modules of Node, the packages that import them, and the names they use. */
const LOADED_WHEN_USED = [
  { path: 'node:child_process', importer: /commander/, names: ['spawn'] },
  { path: 'node:crypto', importer: /src\/storage\/files\//, names: ['createHash', 'randomBytes'] },
];

const loadedWhenUsed = {
  name: 'loaded-when-used',
  setup(builder) {
    for (const { path, importer, names } of LOADED_WHEN_USED) {
      const filter = new RegExp(`^${path}$`);
      builder.onResolve({ filter }, (request) =>
        importer.test(request.importer) ? { path, namespace: 'loaded-when-used' } : undefined,
      );
      builder.onLoad({ filter, namespace: 'loaded-when-used' }, () => ({
        contents: names
          .map((name) => `export const ${name} = (...args) => require('${path}').${name}(...args);`)
          .join('\n'),
      }));
    }
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
