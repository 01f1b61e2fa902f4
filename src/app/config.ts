import { basename, dirname, join, resolve } from 'node:path';
import { type Config, ConfigFile, resolveConfig } from '../protocol/config.js';
import { checkToml } from '../workflow/check-toml.js';
import { parseToml } from '../workflow/toml-document.js';
import { readConfigText } from './storage-mode.js';

/** Settings of the surrounding program, for what config.toml leaves open. */
export interface OuterSettings {
  readonly memory?: Partial<Pick<Config['memory'], 'enabled' | 'max_tokens'>>;
}

/** The settings of a `.agentx` folder; without a config.toml, or for keys that it leaves out, the defaults. */
export function loadConfig(root: string, outer: OuterSettings = {}, text = readConfigText(root)): Config {
  return parseConfig(text, {
    file: join(basename(root), 'config.toml'),
    project: projectNameOf(dirname(resolve(root))),
    outer,
  });
}

interface ParseOptions {
  /** Its name in messages. */
  readonly file: string;
  /** The name of the project if the text does not give one. */
  readonly project: string;
  readonly outer?: OuterSettings;
}

export function parseConfig(text: string, { file, project, outer = {} }: ParseOptions): Config {
  const document = parseToml(text, file);
  const config = resolveConfig(checkToml(ConfigFile, document), { project });
  if (outer.memory === undefined) return config;
  return { ...config, memory: { ...config.memory, ...withoutKeysOf(outer.memory, document.value.memory) } };
}

/** What the file itself says comes first. */
function withoutKeysOf<T extends object>(settings: T, table: unknown): Partial<T> {
  const keysInFile = typeof table === 'object' && table !== null ? Object.keys(table) : [];
  const rest: Partial<T> = { ...settings };
  for (const key of Object.keys(rest)) if (keysInFile.includes(key)) delete rest[key as keyof T];
  return rest;
}

/** A project is named after the folder of its repository. */
export function projectNameOf(repository: string): string {
  return basename(resolve(repository)) || 'project';
}
