import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const FOLDER = 'dist/web';

/**
 * The page as three files, each also compressed, so that no server compresses at every request. Browsers may keep files
 * with a hash in their name for ever.
 */
export async function bundlePage() {
  const { outputFiles } = await build({
    entryPoints: { page: 'web/src/main.tsx', style: 'web/src/style.css' },
    outdir: FOLDER,
    entryNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  mkdirSync(FOLDER, { recursive: true });
  const names = outputFiles.map(({ path }) => basename(path));
  for (const { path, contents } of outputFiles) writeBoth(basename(path), contents);
  const nameOf = (ending) => names.find((name) => name.endsWith(ending)) ?? '';
  const html = readFileSync('web/index.html', 'utf8')
    .replace('{{css}}', nameOf('.css'))
    .replace('{{js}}', nameOf('.js'));
  writeBoth('index.html', html);
  const current = new Set([...names, 'index.html'].flatMap((name) => [name, `${name}.gz`]));
  for (const name of readdirSync(FOLDER)) if (!current.has(name)) rmSync(join(FOLDER, name), { force: true });
}

function writeBoth(name, contents) {
  write(`${name}.gz`, gzipSync(contents, { level: 9 }));
  write(name, contents);
}

/** Whole or not at all: a server may be reading. */
function write(name, contents) {
  const temporary = join(FOLDER, `.${name}.${process.pid}`);
  writeFileSync(temporary, contents);
  renameSync(temporary, join(FOLDER, name));
}
