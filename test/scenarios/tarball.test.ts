import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentxEnvironment, openQuietly } from './support/agentx.js';
import { unnamedTypes } from './support/unnamed-types.js';

const project = resolve(import.meta.dirname, '../..');

/** npm and the compiler take their time while other tests run. */
const PATIENCE_MS = 600_000;

describe('the tarball', () => {
  it(
    'installs a program that works, explains its own files, compiles itself once and can be imported as its page says',
    () => {
      const folder = temporaryFolder();
      const [{ filename }] = JSON.parse(
        run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], project),
      );
      writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
      run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`], folder);

      const installed = join(folder, 'node_modules/@agentx-hub/agentx');
      expect(compiledFormsIn(installed)).toEqual([]);
      const agentx = (...args: readonly string[]): string =>
        run(join(folder, 'node_modules/.bin/agentx'), args, folder);
      expect(agentx('init')).toContain('.agentx');
      // What commands of every day use, and the rest.
      const compiledForms = compiledFormsIn(installed);
      expect(compiledForms).toHaveLength(2);
      expect(agentx('issue', 'create', '-t', 'From a tarball')).toContain('#1');
      expect(compiledFormsIn(installed)).toEqual(compiledForms);

      for (const file of ['config.toml', 'workflows/feature.toml']) {
        const [, page = ''] = /explained by: agentx help (\S+)/.exec(read(join(folder, '.agentx', file))) ?? [];
        expect(agentx('help', page), file).toBe(read(join(project, 'docs', `${page}.md`)));
      }
      for (const name of ['src', 'test']) expect(existsSync(join(installed, name)), name).toBe(false);
      const pictures = [...read(join(installed, 'README.md')).matchAll(/!\[.*?\]\((.*?)\)/g)].map(
        ([, path = '']) => path,
      );
      expect(pictures.length).toBeGreaterThan(0);
      for (const path of pictures) expect(existsSync(join(installed, path)), path).toBe(true);

      writeFileSync(
        join(folder, 'own.mjs'),
        `import { createApp } from '@agentx-hub/agentx';
       const app = createApp({ root: '.agentx' });
       console.log((await app.issue(1)).title);`,
      );
      expect(run(process.execPath, ['own.mjs'], folder)).toContain('From a tarball');

      // Users who pass on a result must be able to name its type.
      const types = join(installed, 'dist/types/index.d.ts');
      // `App` has the members of this class, and is what they are named by.
      expect(unnamedTypes(types, ['App', 'AppOptions', 'createApp'])).toEqual(['OpenedApp']);
      const members = Object.keys(openQuietly(join(folder, '.agentx')));
      expect(members.length).toBeGreaterThan(30);
      const handedOn = members.map((name, index) => `export const handedOn${index} = app.${name};`);
      const own = [
        "import * as agentx from '@agentx-hub/agentx';",
        "const app = agentx.createApp({ root: '.agentx' });",
      ];
      writeFileSync(join(folder, 'own.ts'), [...own, 'export default agentx;', ...handedOn].join('\n'));
      const [, example = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(read(join(installed, 'docs/library.md'))) ?? [];
      writeFileSync(join(folder, 'example.ts'), example);
      const tools = join(project, 'node_modules');
      const strict = ['--strict', '--declaration', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
      const nodeTypes = ['--types', 'node', '--typeRoots', join(tools, '@types')];
      const tsc = join(tools, 'typescript-native/bin/tsc');
      const files = ['--target', 'es2022', '--outDir', 'out', 'own.ts', 'example.ts'];
      run(process.execPath, [tsc, ...strict, ...nodeTypes, ...files], folder);
      const [, printed] = /console\.log\(.*\/\/ (.*)$/m.exec(example) ?? [];
      expect(run(process.execPath, ['out/example.js'], folder)).toBe(`${printed}\n`);
    },
    PATIENCE_MS,
  );
});

function compiledFormsIn(installed: string): readonly string[] {
  return readdirSync(join(installed, 'dist/program')).filter((name) => name.endsWith('.cache'));
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: agentxEnvironment(),
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  if (error !== undefined) throw error;
  expect({ status, stderr: status === 0 ? '' : `${stdout}${stderr}` }, [program, ...args].join(' ')).toEqual({
    status: 0,
    stderr: '',
  });
  return stdout;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
