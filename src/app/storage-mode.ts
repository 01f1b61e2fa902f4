import { basename, join } from 'node:path';
import { AgentXError } from '../protocol/errors.js';
import { LOCAL_OR_GITHUB, type Mode, ONLY_FILES } from '../protocol/storage-mode.js';
import { type TomlValue, tomlText, tomlValues } from '../workflow/toml-lines.js';
import { readOwnText } from './read-own-text.js';

/*
 * Some commands skip the settings, because reading them takes longer than the command. They must still not work on
 * other data than the settings say.
 */

/** Where the settings keep issues; CONFIG_ERROR if they keep records where this version cannot. */
export function modeOf(root: string, settingsText: () => string): Mode {
  const text = settingsText();
  let mode: Mode = 'local';
  if (!MAYBE_ELSEWHERE.test(text)) return mode;
  for (const { key, allowed, rule, tokenOf } of RULES) {
    for (const value of tomlValues(text.replace(/^\uFEFF/, ''))) {
      const token = tokenOf(value);
      if (token === undefined) continue;
      const word = /^["']/.test(token) ? tomlText(token) : undefined;
      if (word === undefined || !allowed.includes(word)) throw refusal(root, { key, rule, line: value.line });
      if (key === 'mode' && word === 'github') mode = 'github';
    }
  }
  return mode;
}

/** Empty if there is no file. */
export function readConfigText(root: string): string {
  return readOwnText(join(root, 'config.toml')) ?? '';
}

/** Whether people are reached through channels. A comment that looks so costs a little time, and nothing else. */
export function namesChannels(text: string): boolean {
  return /^\s*(?:\[\[\s*["']?notify["']?\s*\]\]|["']?notify["']?\s*=)|\\u/m.test(text);
}

/** Almost no file has such a line; in some that do, it means something else. What init writes has none. */
export const MAYBE_ELSEWHERE =
  /(?<![\w-])(?:mode["']?\s*=(?!\s*["']local["']\s*(?:#.*)?$)|url["']?\s*=(?!\s*(?:""|'')\s*(?:#.*)?$))|\\u/im;

interface Rule {
  readonly key: string;
  readonly allowed: readonly string[];
  readonly rule: string;
  /** The token that is the key's value. */
  readonly tokenOf: (value: TomlValue) => string | undefined;
}

const RULES: readonly Rule[] = [
  {
    key: 'mode',
    allowed: ['local', 'github'],
    rule: LOCAL_OR_GITHUB,
    tokenOf: ({ path, tokens }) => (path.join('.') === 'mode' ? (tokens[0] ?? '') : undefined),
  },
  {
    key: 'store.url',
    allowed: [''],
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
