import {
  ADDRESS_WITH_PASSWORD,
  ASSIGNED,
  AUTHORIZATION,
  BEARER,
  CLUSTER_SECRET,
  CLUSTER_VALUE,
  COMMAND_LINE,
  COOKIE,
  COOKIES,
  DOCKER_LOGIN,
  ELEMENT,
  ENVIRONMENT_COMMAND,
  ENVIRONMENT_LINE,
  JSON_WEB_TOKEN,
  KEY_LINES,
  KEY_MATERIAL,
  KEY_SIGNS,
  NAME_OF_SECRETS,
  NAMED_ONLY,
  NAMED_VALUE,
  NETRC,
  ORACLE,
  PGPASS,
  PRIVATE_KEY_HEADER,
  PUTTY_KEY,
  QUERY,
  REFRESH_TOKEN,
  REST_OF_KEY,
  SHORTEST_KEY,
  TOLD,
  TOLD_CODE,
  TOLD_KEY,
  VENDOR_KEY,
  WEBHOOK,
  YAML_PASSWORD,
} from './secret-patterns.js';
import {
  isKey,
  isMixed,
  isNoSecret,
  isRandom,
  isSecretValue,
  isSetting,
  isTemplate,
  isToldPassword,
  REDACTED,
  unquoted,
} from './secret-values.js';

export { REDACTED };

/**
 * The text without secrets and without what is marked as private. Everything that memory keeps passes through here
 * before it is written anywhere. Doing it twice changes nothing more. Pure.
 */
export function redact(text: string): string {
  return withoutSecrets(withoutPrivate(text));
}

/** The tags, also as they stand in JSON and HTML; `<private key>` is none. */
const PRIVATE_TAG =
  /(?:<|\\u003c|&lt;)\s{0,20}(\\?\/?)\s{0,20}private(?:\s{1,20}[^<>=]{1,40}=[^<>]{0,200}?)?\s{0,20}\/?(?:>|\\u003e|&gt;)/gi;

/**
 * Text marked as private leaves no trace, marks within marks included, and an unclosed mark hides the rest. Call this
 * before the text is split.
 */
export function withoutPrivate(text: string): string {
  return publicPart(text).text;
}

/** The public part of a text that continues others; `unclosed` counts the marks that those left open. */
export function publicPart(text: string, unclosed = 0): { readonly text: string; readonly unclosed: number } {
  let publicText = '';
  let from = 0;
  let depth = unclosed;
  for (const { 0: tag, 1: slash = '', index } of text.matchAll(PRIVATE_TAG)) {
    const isEnd = slash.includes('/');
    if (!isEnd && depth++ === 0) publicText += `${text.slice(from, index)} `;
    if (isEnd && depth > 0 && --depth === 0) from = index + tag.length;
  }
  return { text: depth > 0 ? publicText : publicText + text.slice(from), unclosed: depth };
}

interface Rule {
  readonly pattern: RegExp;
  /** A character without which the pattern matches nothing. */
  readonly sign?: string;
  /** Whether it matches nothing without a name of a secret (`NAME_OF_SECRETS`). */
  readonly isNamed?: true;
  readonly replacer: (match: string, ...groups: (string | undefined)[]) => string;
}

/** Most texts have neither the names nor the signs of secrets: looking for these first is several times as fast. */
function withoutSecrets(text: string): string {
  let cleanText = withoutKeys(withoutClusterSecrets(withoutBlocks(text)));
  const hasName = NAME_OF_SECRETS.test(cleanText);
  for (const { pattern, sign, isNamed, replacer } of RULES) {
    if ((isNamed && !hasName) || (sign !== undefined && !cleanText.includes(sign))) continue;
    cleanText = cleanText.replace(pattern, replacer);
  }
  return cleanText;
}

/** In their order: what one has taken out, the next ones do not see. */
const RULES: readonly Rule[] = [
  {
    pattern: ADDRESS_WITH_PASSWORD,
    sign: '@',
    replacer: (match, scheme = '', user = '', password = '', host = '') =>
      isTemplate(password) || isExample({ scheme, user, password, host }) ? match : `://${user}:${REDACTED}`,
  },
  {
    pattern: AUTHORIZATION,
    isNamed: true,
    replacer: (match, name = '', scheme = '', value = '') =>
      isTemplate(value) || isNoSecret(value) || (scheme === '' && !isRandom(value, 12))
        ? match
        : `${name}${scheme}${REDACTED}`,
  },
  { pattern: BEARER, replacer: keepUnless(isMixed) },
  { pattern: WEBHOOK, sign: ':', replacer: keepUnless(() => true) },
  { pattern: REFRESH_TOKEN, sign: '/', replacer: () => REDACTED },
  {
    pattern: QUERY,
    sign: '=',
    replacer: keepUnless(
      (value, start) =>
        !isTemplate(value) && !isNoSecret(value) && (/pass|pwd/i.test(start) ? isMixed(value) : isRandom(value, 16)),
    ),
  },
  { pattern: ORACLE, sign: '@', replacer: keepUnless((value) => !isTemplate(value)) },
  { pattern: PGPASS, sign: ':', replacer: keepUnless(isMixed) },
  { pattern: NAMED_VALUE, sign: '=', replacer: keepUnless(isMixed) },
  { pattern: COMMAND_LINE, sign: '-', replacer: keepUnless((value) => !isTemplate(value) && !NO_ARGUMENT.test(value)) },
  {
    pattern: ENVIRONMENT_LINE,
    sign: '=',
    isNamed: true,
    replacer: (match, anything, value = '') =>
      isSetting(unquoted(value)) || (anything !== undefined && !isRandom(unquoted(value), 16)) ? match : `=${REDACTED}`,
  },
  { pattern: ENVIRONMENT_COMMAND, isNamed: true, replacer: keepUnless((value) => !isSetting(unquoted(value))) },
  { pattern: ASSIGNED, isNamed: true, replacer: keepUnless((value, start) => isSecretValue(start, value)) },
  { pattern: NAMED_ONLY, isNamed: true, replacer: keepUnless((value) => !isNoSecret(value) && isRandom(value, 24)) },
  { pattern: TOLD, isNamed: true, replacer: keepUnless(isToldPassword) },
  { pattern: TOLD_KEY, isNamed: true, replacer: keepUnless(isKey) },
  { pattern: TOLD_CODE, isNamed: true, sign: '-', replacer: keepUnless(isMixed) },
  { pattern: YAML_PASSWORD, sign: ':', isNamed: true, replacer: keepUnless((value) => !WORDS_OF_SCHEMAS.test(value)) },
  {
    pattern: COOKIES,
    replacer: (header) =>
      header.replace(
        COOKIE,
        keepUnless((value) => isRandom(value, 16)),
      ),
  },
  { pattern: NETRC, isNamed: true, replacer: keepUnless(() => true) },
  { pattern: PUTTY_KEY, sign: ':', replacer: keepUnless(() => true) },
  { pattern: DOCKER_LOGIN, sign: ':', isNamed: true, replacer: keepUnless(isMixed) },
  {
    pattern: ELEMENT,
    sign: '<',
    isNamed: true,
    replacer: (match, start = '', _name = '', value = '') =>
      isTemplate(value) || !isMixed(value) ? match : `${start}${REDACTED}`,
  },
];

/** For patterns whose groups are what stays and the value behind it. */
function keepUnless(isSecret: (value: string, start: string) => boolean) {
  return (match: string, start = '', value = ''): string => (isSecret(value, start) ? `${start}${REDACTED}` : match);
}

interface Address {
  readonly scheme: string;
  readonly user: string;
  readonly password: string;
  readonly host: string;
}

/** As manuals write it. The password of a database may be a word like any other: there, all of it must be an example. */
function isExample({ scheme, user, password, host }: Address): boolean {
  if (!DATABASE.test(scheme)) return PLACEHOLDER.test(password) || EXAMPLE.test(host);
  return PLACEHOLDER.test(password) && SOME_USER.test(user) && SOME_HOST.test(host);
}

/** What a description of a field says of it. */
const WORDS_OF_SCHEMAS =
  /^(?:string|str|text|varchar.*|bytes|hidden|required|optional|masked|secret|password|passwort|false|true|null|none|undefined|boolean|number|integer|never|always|auth[\w.-]*|[\w.-]*(?:password|passwd|secret|token|field|input|hash|label|form)[\w.-]*|[a-z.]+)$/i;

/** A key in several lines, with the lines that mark it. */
function withoutBlocks(text: string): string {
  let output = '';
  let done = 0;
  for (const { 0: header, 1: kind, index } of text.matchAll(PRIVATE_KEY_HEADER)) {
    const start = index + header.length;
    if (index < done) continue;
    const end = endOfKey(text, start, `-----END ${kind}-----`);
    if (!KEY_MATERIAL.test(text.slice(start, end).replace(/-----[^-]+-----/g, ' '))) continue;
    output += text.slice(done, index) + REDACTED;
    done = end;
  }
  return done === 0 ? text : output + text.slice(done);
}

/** A Secret says of itself that it is one: no value of it stays. */
function withoutClusterSecrets(text: string): string {
  if (!/^[ \t]*kind:[ \t]*Secret[ \t]*$/m.test(text)) return text;
  return text
    .split(/^(?=---[ \t]*$)/m)
    .map((part) =>
      /^[ \t]*kind:[ \t]*Secret[ \t]*$/m.test(part)
        ? part.replace(CLUSTER_SECRET, (lines) =>
            lines.replace(CLUSTER_VALUE, (match, start: string, value: string) =>
              isTemplate(unquoted(value)) ? match : `${start}${REDACTED}`,
            ),
          )
        : part,
    )
    .join('');
}

const LONGEST_KEY = 20_000;

function endOfKey(text: string, start: number, footer: string): number {
  const offset = text.slice(start, start + LONGEST_KEY).indexOf(footer);
  if (offset >= 0) return start + offset + footer.length;
  KEY_LINES.lastIndex = start;
  return start + (KEY_LINES.exec(text)?.[0].length ?? 0);
}

/** Looks at long words only, and finds them without a pattern: that is ten times as fast as trying all keys at every letter. */
function withoutKeys(text: string): string {
  let cleanText = '';
  let done = 0;
  for (let start = 0, index = 0; index <= text.length; index++) {
    if (IN_KEYS[text.charCodeAt(index)] === 1) continue;
    if (index - start >= SHORTEST_KEY) {
      const word = text.slice(start, index);
      const cleanWord = word.replace(VENDOR_KEY, REDACTED).replace(JSON_WEB_TOKEN, REDACTED);
      if (cleanWord !== word) {
        cleanText += text.slice(done, start) + cleanWord;
        done = cleanWord.endsWith(REDACTED) ? endOfRest(text, index) : index;
        index = Math.max(index, done - 1);
      }
    }
    start = index + 1;
  }
  return done === 0 ? text : cleanText + text.slice(done);
}

function endOfRest(text: string, index: number): number {
  REST_OF_KEY.lastIndex = index;
  return index + (REST_OF_KEY.exec(text)?.[0].length ?? 0);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** By the code of a character: whether a key may contain it. */
const IN_KEYS = new Uint8Array(128);
for (const character of `0123456789${LETTERS}${LETTERS.toUpperCase()}${KEY_SIGNS}`)
  IN_KEYS[character.charCodeAt(0)] = 1;

const DATABASE =
  /^(?:postgres|mysql|mariadb|mongodb|redis|amqp|mssql|sqlserver|oracle|clickhouse|cockroach|couchdb|neo4j|bolt|nats|kafka|ldap|smtp|jdbc)/i;
const EXAMPLE = /^(?:[\w-]+\.)*example\.(?:com|org|net)\b/i;
/** What a manual has in the place of a secret: one word, or the name of it. */
const NO_ARGUMENT = /^(?:[A-Z_]+|[a-z]+|[a-z]*(?:[Ss]ecret|[Pp]assword|[Tt]oken|[Kk]ey)[A-Za-z]*)$/;
const SOME_USER = /^(?:user(?:name)?|usr|name|val|foo|u|)$/i;
const SOME_HOST =
  /^(?:localhost|127\.0\.0\.1|(?:my|db|your)?-?(?:host(?:name)?|server)|(?:[\w-]+\.)*example\.(?:com|org|net))$/i;
const PLACEHOLDER = /^(?:pass(?:word|wd)?|pwd?|secret|p|b|bar|token|x+|\*+|foo|test|example|your.*)$/i;
