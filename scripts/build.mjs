import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';

const INPUTS = ['src', 'package.json', 'scripts/build.mjs', 'package-lock.json'];

/** Bundles the command line and the library into dist/, unless dist/ already holds what src/ says now. */
export async function ensureBuilt() {
  await unlessCurrent('dist/.bundled-from', async () => {
    console.error('Building...');
    await bundle({ entryPoints: { agentx: 'src/cli/main.ts', index: 'src/index.ts' }, outdir: 'dist' });
    chmodSync('dist/agentx.js', 0o755);
  });
}

/** Carries out `work` if the sources have changed since the stamp was left; it throws if it fails. */
export async function unlessCurrent(stamp, work) {
  const wanted = fingerprint(INPUTS);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await work();
  replaceFile(stamp, wanted);
}

/** Every output file is replaced whole, so that a program started from dist/ during a build never sees half of one. */
export async function bundle(options) {
  const { outputFiles } = await build({
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    packages: 'bundle',
    minifySyntax: true,
    legalComments: 'none',
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
    ...options,
    write: false,
  });
  for (const file of outputFiles) replaceFile(file.path, file.contents);
  removeOldChunks(join(options.outdir, 'chunks'), new Set(outputFiles.map(({ path }) => basename(path))));
}

/** A program that was started before this build may still load its chunks; after ten minutes it has. */
function removeOldChunks(folder, current) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    const isOld = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 10 * 60 * 1000;
    if (isOld && !current.has(name)) rmSync(path, { force: true });
  }
}

function replaceFile(path, contents) {
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
