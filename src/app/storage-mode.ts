import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AgentXError } from '../protocol/errors.js';
import { ONLY_FILES, ONLY_LOCAL } from '../protocol/storage-mode.js';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';
import { type TomlValue, tomlText, tomlValues } from '../workflow/toml-lines.js';

/*
 * Some commands skip the settings, because reading them takes longer than the command. They must still not work on
 * other data than the settings say.
 */

/** CONFIG_ERROR if the settings keep records elsewhere than in files, which this version cannot. */
export function refuseElsewhere(root: string): void {
  const text = readConfigText(root);
  if (!MAYBE_ELSEWHERE.test(text)) return;
  for (const { key, allowed, rule, tokenOf } of RULES) {
    for (const value of tomlValues(text.replace(/^\uFEFF/, ''))) {
      const token = tokenOf(value);
      if (token !== undefined && tomlText(token) !== allowed) throw refusal(root, { key, rule, line: value.line });
    }
  }
}

/** Empty if there is no file. */
export function readConfigText(root: string): string {
  const path = join(root, 'config.toml');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw asStoreError('read', path, error);
  }
}

/** Whether people are reached through channels. A comment that looks so costs a little time, and nothing else. */
export function namesChannels(root: string): boolean {
  return /^\s*(?:\[\[\s*["']?notify["']?\s*\]\]|["']?notify["']?\s*=)|\\u/m.test(readConfigText(root));
}

/** Almost no file has such a line; in some that do, it means something else. What init writes has none. */
export const MAYBE_ELSEWHERE =
  /(?<![\w-])(?:mode["']?\s*=(?!\s*["']local["']\s*(?:#.*)?$)|url["']?\s*=(?!\s*(?:""|'')\s*(?:#.*)?$))|\\u/im;

interface Rule {
  readonly key: string;
  readonly allowed: string;
  readonly rule: string;
  /** The token that is the key's value. */
  readonly tokenOf: (value: TomlValue) => string | undefined;
}

const RULES: readonly Rule[] = [
  {
    key: 'mode',
    allowed: 'local',
    rule: ONLY_LOCAL,
    tokenOf: ({ path, tokens }) => (path.join('.') === 'mode' ? (tokens[0] ?? '') : undefined),
  },
  {
    key: 'store.url',
    allowed: '',
    rule: ONLY_FILES,
    tokenOf: ({ path, tokens }) => {
      if (path.length === 2 && path.join('.') === 'store.url') return tokens[0] ?? '';
      if (path.length !== 1 || path[0] !== 'store') return undefined;
      const place = tokens.findIndex((token, index) => tokens[index + 1] === '=' && tomlText(token) === 'url');
      return place === -1 ? undefined : tokens[place + 2];
    },
  },
];

function refusal(root: string, { key, rule, line }: Pick<Rule, 'key' | 'rule'> & { readonly line: number }) {
  const file = `${basename(root)}/config.toml`;
  const problem = `'${key}' ${rule}.`;
  return new AgentXError('CONFIG_ERROR', `${file}, line ${line}: ${problem}`, { file, line, key, problem });
}
