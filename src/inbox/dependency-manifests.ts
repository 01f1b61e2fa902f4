import { posix } from 'node:path';

/** Names of files in which a project declares its dependencies. */
const NAMES = new Set([
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.json',
  'deno.jsonc',
  'deno.lock',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'pipfile',
  'pipfile.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'environment.yml',
  'environment.yaml',
  'constraints.txt',
  'cargo.toml',
  'cargo.lock',
  'go.mod',
  'go.sum',
  'go.work',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'gradle.lockfile',
  'libs.versions.toml',
  'build.sbt',
  'gemfile',
  'gemfile.lock',
  'composer.json',
  'composer.lock',
  'mix.exs',
  'mix.lock',
  'rebar.config',
  'pubspec.yaml',
  'pubspec.lock',
  'package.swift',
  'package.resolved',
  'podfile',
  'podfile.lock',
  'packages.config',
  'packages.lock.json',
  'directory.packages.props',
  'conanfile.txt',
  'conanfile.py',
  'vcpkg.json',
  'flake.nix',
  'flake.lock',
  'stack.yaml',
  'package.yaml',
  'cpanfile',
]);
const PATTERNS = [/^requirements[\w.-]*\.(?:txt|in)$/, /\.gemspec$/, /\.(?:cs|fs|vb)proj$/, /\.cabal$/, /\.rockspec$/];

/** Whether a change of this file may change the dependencies of the project. */
export function isDependencyManifest(path: string): boolean {
  const parts = posix
    .normalize(path.toLowerCase().replaceAll('\\', '/'))
    .split('/')
    .filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  const isRequirement = parts.at(-2) === 'requirements' && /\.(?:txt|in)$/.test(name);
  return NAMES.has(name) || isRequirement || PATTERNS.some((pattern) => pattern.test(name));
}
