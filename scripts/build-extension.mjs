import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { ensureBuilt, replaceFile, unlessCurrent } from './build.mjs';

const FOLDER = 'extension/dist';
const VSIX = 'extension/agentx-vscode.vsix';
const MAX_BYTES = 1_000_000;

const INPUTS = ['src', 'web', 'extension/src', 'extension/package.json', 'scripts', 'package-lock.json'];

/**
 * The extension. One file holds it and the command line, which share most of their code. A second file has the packages
 * that speak to models, MCP clients and mail servers; it is loaded with their first use. Beside them are the start of
 * the command line, and the page.
 */
export async function ensureExtensionBuilt() {
  await ensureBuilt();
  await unlessCurrent(`${FOLDER}/.bundled-from`, bundleExtension, INPUTS);
}

/** The path of the .vsix, made anew unless it is up to date. */
export async function packageExtension() {
  await ensureExtensionBuilt();
  const inputs = [...INPUTS, 'extension/README.md', 'extension/media', 'extension/.vscodeignore'];
  await unlessCurrent('extension/dist.packaged-from', pack, inputs, VSIX);
  return resolve(VSIX);
}

/** Every file is replaced whole: another process may be packaging what is there. */
async function bundleExtension() {
  console.error('Building the extension...');
  const { version } = JSON.parse(readFileSync('extension/package.json', 'utf8'));
  const parts = [...IN_SDK].map(([source, name]) => `get ${name}() { return require('./${source}'); }`);
  const contents = `module.exports = { ${parts.join(', ')} };`;
  const [extension, sdk] = await Promise.all([
    build({
      ...BUNDLED,
      entryPoints: ['extension/src/main.ts'],
      external: [...BUNDLED.external, 'vscode'],
      plugins: [fromSdk, leftOut],
      define: { 'import.meta.dirname': '__dirname', AGENTX_VERSION: JSON.stringify(version) },
    }),
    build({
      ...BUNDLED,
      stdin: { contents, resolveDir: '.', sourcefile: 'sdk.js' },
      plugins: [englishOnly, noAttachments],
    }),
  ]);
  replaceFile(`${FOLDER}/extension.cjs`, extension.outputFiles[0].text);
  replaceFile(`${FOLDER}/sdk.cjs`, sdk.outputFiles[0].text);
  replaceFile(`${FOLDER}/agentx.cjs`, "#!/usr/bin/env node\nrequire('./extension.cjs').commandLine();\n");
  // The compressed forms are for servers that many read; the archive compresses once more.
  const page = readdirSync('dist/web').filter((name) => !name.endsWith('.gz'));
  for (const name of page) replaceFile(`${FOLDER}/web/${name}`, readFileSync(`dist/web/${name}`));
  for (const name of readdirSync(`${FOLDER}/web`)) {
    if (!page.includes(name)) rmSync(`${FOLDER}/web/${name}`, { force: true });
  }
}

const BUNDLED = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  outfile: 'out.cjs',
  write: false,
  packages: 'bundle',
  // Its table is larger than the whole extension may be: token counts are estimates here.
  external: ['gpt-tokenizer/*'],
  supported: { 'dynamic-import': false },
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Files that only `import()` names, and their names in sdk.cjs. */
const IN_SDK = new Map([
  ['src/mcp/sdk.ts', 'mcp'],
  ['src/agents/model/sdk.ts', 'model'],
  ['src/notify/mailer.ts', 'mail'],
]);

const fromSdk = {
  name: 'from-sdk',
  setup(builder) {
    builder.onResolve({ filter: /\/(?:sdk|mailer)\.js$/ }, ({ kind, path, resolveDir }) => {
      const source = relative('.', join(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '.ts');
      const name = kind === 'dynamic-import' ? IN_SDK.get(source) : undefined;
      return name === undefined ? undefined : { path: name, namespace: 'from-sdk' };
    });
    builder.onLoad({ filter: /./, namespace: 'from-sdk' }, ({ path }) => ({
      contents: `module.exports = require('./sdk.cjs').${path};`,
    }));
    builder.onResolve({ filter: /^\.\/sdk\.cjs$/, namespace: 'from-sdk' }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * Commands for a person at a terminal, who has the whole program: the one that comes with the extension is for agents.
 * Each file by what it exports.
 */
const LEFT_OUT = new Map([
  ['src/cli/demo/register.ts', 'registerDemo'],
  ['src/cli/completion/register.ts', 'registerCompletion'],
  ['src/cli/watch/register.ts', 'registerWatch'],
  ['src/cli/mcp/register-install.ts', 'registerInstall'],
]);

const leftOut = {
  name: 'left-out',
  setup(builder) {
    builder.onLoad({ filter: /src[\\/]cli[\\/].*register[\w-]*\.ts$/ }, ({ path }) => {
      const name = LEFT_OUT.get(relative('.', path).replaceAll('\\', '/'));
      return name === undefined ? undefined : { contents: `export const ${name} = () => {};` };
    });
  },
};

/** The texts of errors in fifty languages, of which one is used. */
const englishOnly = {
  name: 'english-only',
  setup(builder) {
    builder.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** The types of a thousand kinds of files, which only attachments need: our mail is plain text. */
const noAttachments = {
  name: 'no-attachments',
  setup(builder) {
    builder.onLoad({ filter: /nodemailer[\\/].*[\\/]mime-types\.js$/ }, () => ({
      contents:
        "export const detectMimeType = () => 'application/octet-stream'; export const detectExtension = () => 'bin';",
    }));
  },
};

async function pack() {
  const { ensureInstalled } = createRequire(import.meta.url)('./install.cjs');
  ensureInstalled('extension/packaging');
  const vsce = resolve('extension/packaging/node_modules/@vscode/vsce/vsce');
  const packedFile = resolve(`${VSIX}.${process.pid}.vsix`);
  const args = ['package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', packedFile];
  const { status, stdout, stderr } = spawnSync(process.execPath, [vsce, ...args], {
    cwd: 'extension',
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The extension cannot be packaged:\n${stdout}${stderr}`);
  const { size } = statSync(packedFile);
  console.error(`${VSIX}: ${Math.round(size / 1000)} kB`);
  if (size > MAX_BYTES) {
    rmSync(packedFile);
    throw new Error(`${VSIX} has ${size} bytes. Allowed: up to ${MAX_BYTES}.`);
  }
  renameSync(packedFile, VSIX);
}
