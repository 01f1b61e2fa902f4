import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const { NEEDED_TO_BUILD } = createRequire(import.meta.url)('../scripts/install.cjs') as {
  NEEDED_TO_BUILD: readonly string[];
};

describe('package-lock.json', () => {
  it('names every binary that a locked package asks for, so that npm ci takes it on every platform', () => {
    const { packages } = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.entries(optionalDependencies))
      .filter(([name, version]) => /^\d/.test(version) && packages[`node_modules/${name}`]?.version !== version);
    expect(missing, 'run: node scripts/complete-lock-file.mjs').toEqual([]);
  });

  it('says nowhere from which registry a package came', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http');
  });
});

describe('what npm start installs', () => {
  it('is everything that the program and the page import, and what bundles them', () => {
    const { dependencies } = readJson<{ dependencies: Record<string, string> }>('package.json');
    const imported = new Set([...sourcesIn('src'), ...sourcesIn('web/src')].flatMap(packagesImportedBy));
    expect([...NEEDED_TO_BUILD, ...Object.keys(dependencies)].sort()).toEqual([...imported, 'esbuild'].sort());
  });
});

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
}

function packagesImportedBy(source: string): readonly string[] {
  return [...source.matchAll(/(?:^(?:import|export)[^;]*?from |^import |import\()'([^'.][^']*)'/gm)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
}
