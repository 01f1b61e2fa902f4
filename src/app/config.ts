import { basename, dirname, join, resolve } from 'node:path';
import { type Config, ConfigFile, resolveConfig } from '../protocol/config.js';
import { checkToml } from '../workflow/check-toml.js';
import { parseToml } from '../workflow/toml-document.js';
import { readConfigText } from './storage-mode.js';

/** The settings of a `.agentx` folder; without a config.toml, or for keys that it leaves out, the defaults. */
export function loadConfig(root: string): Config {
  return parseConfig(readConfigText(root), {
    file: join(basename(root), 'config.toml'),
    project: projectNameOf(dirname(resolve(root))),
  });
}

/** `file` is its name in messages; `project` is the name if the text does not give one. */
export function parseConfig(
  text: string,
  { file, project }: { readonly file: string; readonly project: string },
): Config {
  return resolveConfig(checkToml(ConfigFile, parseToml(text, file)), { project });
}

/** A project is named after the folder of its repository. */
export function projectNameOf(repository: string): string {
  return basename(resolve(repository)) || 'project';
}
