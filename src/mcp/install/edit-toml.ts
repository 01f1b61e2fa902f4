import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { eolOf, splice, splitBom } from './text-file.js';
import { UneditableError } from './uneditable.js';

/** A list of keys: `['mcp_servers', 'agentx']` is `[mcp_servers.agentx]`. */
export type TomlPath = readonly string[];

/** What a TOML file says. */
export function readToml(text: string): TomlTable {
  try {
    return parse(splitBom(text).body);
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    const line = error instanceof Error && 'line' in error ? ` on line ${String(error.line)}` : '';
    throw new UneditableError(`is no valid TOML${line}: ${reason.replace(/^Invalid TOML document: /, '')}`);
  }
}

/**
 * Gives a table these keys. Everything else in the file stays as it is written. The result is read once more. So a file
 * with a notation that we do not edit, such as `mcp_servers = { ... }`, is refused and not damaged.
 */
export function setTomlTable(text: string, path: TomlPath, values: Readonly<Record<string, unknown>>): string {
  const document = readToml(text);
  const existingTable = tableAt(document, path);
  const changedValues = Object.entries(values).filter(([key, value]) => !isSame(existingTable?.[key], value));
  if (changedValues.length === 0) return text;
  const { bom, body } = splitBom(text);
  const header = statementsOf(body).find(({ kind, names }) => kind === 'table' && isSame(names, path));
  const after =
    bom +
    (header === undefined
      ? appendTable(body, path, values)
      : changedValues.reduce((part, one) => setKey(part, path, one), body));
  if (!isSame(readAgain(after), withTable(document, path, { ...existingTable, ...values })))
    throw unknownNotation(path, values);
  return after;
}

/** Removes a table and those below it. */
export function removeTomlTable(text: string, path: TomlPath): string {
  const document = readToml(text);
  if (tableAt(document, path) === undefined) return text;
  const { bom, body } = splitBom(text);
  let after = body;
  for (;;) {
    const range = rangeOfTable(after, path);
    if (range === undefined) break;
    after = splice(after, ...range, '');
  }
  if (!isSame(readAgain(after), withTable(document, path, undefined))) throw unknownNotation(path);
  return bom + after;
}

function readAgain(text: string): TomlTable | undefined {
  try {
    return readToml(text);
  } catch {
    return undefined;
  }
}

function appendTable(body: string, path: TomlPath, values: Readonly<Record<string, unknown>>): string {
  const eol = eolOf(body);
  const lines = [`[${path.map(keyText).join('.')}]`, ...Object.entries(values).map(keyLine)].join(eol);
  if (body.trim() === '') return `${body}${lines}${eol}`;
  // A file without a line break at its end gets none, so that removing the table leaves it as it was.
  return body.endsWith('\n') ? `${body}${eol}${lines}${eol}` : `${body}${eol}${eol}${lines}`;
}

/** In the place of the present value, or after the last key of the table. */
function setKey(body: string, path: TomlPath, [key, value]: readonly [string, unknown]): string {
  const statements = statementsOf(body);
  const header = statements.findIndex(({ kind, names }) => kind === 'table' && isSame(names, path));
  const next = statements.findIndex(({ kind }, index) => index > header && kind !== 'key');
  const own = statements.slice(header, next < 0 ? undefined : next);
  const existingStatement = own.find(({ kind, names }) => kind === 'key' && isSame(names, [key]));
  if (existingStatement !== undefined)
    return splice(body, existingStatement.valueStart, existingStatement.end, valueText(value));
  const last = own.at(-1)?.lineEnd ?? body.length;
  const eol = eolOf(body);
  const isLastLine = last >= body.length && !body.endsWith('\n');
  const line = keyLine([key, value]);
  return splice(body, last, last, isLastLine ? `${eol}${line}` : `${line}${eol}`);
}

/** The first table at the path or below it: its lines, and one blank line in front of it. */
function rangeOfTable(body: string, path: TomlPath): [number, number] | undefined {
  const statements = statementsOf(body);
  const index = statements.findIndex(({ kind, names }) => kind !== 'key' && isSame(names.slice(0, path.length), path));
  const header = statements[index];
  if (header === undefined) return undefined;
  const next = statements.findIndex(({ kind }, other) => other > index && kind !== 'key');
  const end = statements.slice(index, next < 0 ? undefined : next).at(-1)?.lineEnd ?? header.lineEnd;
  const [blank = ''] = /(?:\r?\n)?$/.exec(body.slice(0, header.start).replace(/\r?\n$/, '')) ?? [];
  const lineBreak = body.slice(0, header.start).endsWith('\r\n') ? 2 : header.start > 0 ? 1 : 0;
  // At the end of a file without a last line break, the one in front goes as well.
  const isAtEnd = end >= body.length && !body.endsWith('\n');
  const start = isAtEnd
    ? header.start - lineBreak - blank.length
    : blank === ''
      ? header.start
      : header.start - blank.length;
  return [Math.max(0, start), end];
}

interface Statement {
  readonly kind: 'key' | 'table' | 'list-of-tables';
  readonly names: string[];
  readonly start: number;
  /** After `=`; of a header, after `]`. */
  valueStart: number;
  end: number;
  /** After the line break that ends it. */
  lineEnd: number;
}

// Strings of several lines come first: their quotes look like an empty string followed by another one.
const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"""(?!")|'''[\s\S]*?'''(?!')|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[\w-]+|[ \t\r]+|[\s\S]/g;

/** Keys and headers with their places. The text must be valid TOML: only strings, comments and brackets are examined. */
function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let current: Statement | undefined;
  let hasValue = false;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length;
    if (/^[ \t\r#]/.test(token)) continue;
    if (current === undefined) {
      if (token === '\n') continue;
      current = { kind: token === '[' ? 'table' : 'key', names: [], start: index, valueStart: end, end, lineEnd: end };
      hasValue = false;
      depth = 0;
      if (token !== '[') current.names.push(nameOf(token));
      statements.push(current);
    } else if (!hasValue) {
      current = readName(current, token, end);
      statements[statements.length - 1] = current;
      hasValue = token === (current.kind === 'key' ? '=' : ']');
    } else if (token === '\n' && depth === 0) {
      current.lineEnd = end;
      current = undefined;
    } else {
      if (token === '[' || token === '{') depth += 1;
      if ((token === ']' || token === '}') && (current.kind === 'key' || depth > 0)) depth -= 1;
      if (current.kind === 'key' && current.end === current.valueStart) current.valueStart = index;
      current.end = end;
      current.lineEnd = text.length;
    }
  }
  if (current !== undefined) current.lineEnd = text.length;
  return statements;
}

function readName(statement: Statement, token: string, end: number): Statement {
  if (token === '[') return { ...statement, kind: 'list-of-tables' };
  if (token === '=' || token === ']') return { ...statement, valueStart: end, end, lineEnd: end };
  if (token !== '.') statement.names.push(nameOf(token));
  return statement;
}

function nameOf(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (!token.startsWith('"')) return token;
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

/** Equal as data: the parser's tables are no plain objects. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(structuredClone(one), structuredClone(other));

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

function keyLine([key, value]: readonly [string, unknown]): string {
  return `${keyText(key)} = ${valueText(value)}`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  return stringify({ value })
    .replace(/^value = /, '')
    .trimEnd();
}

function tableAt(root: TomlTable, path: TomlPath): TomlTable | undefined {
  let table: unknown = root;
  for (const name of path) table = isTable(table) && Object.hasOwn(table, name) ? table[name] : undefined;
  if (table !== undefined && !isTable(table)) {
    throw new UneditableError(`has something else than a table at '${path.join('.')}'`);
  }
  return table;
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The same with another table at the path; without one, tables around it that become empty go as well. */
function withTable(
  root: TomlTable,
  [name = '', ...rest]: TomlPath,
  table: Readonly<Record<string, unknown>> | undefined,
): object {
  const { [name]: value, ...others } = root;
  if (rest.length === 0) return table === undefined ? others : { ...root, [name]: table };
  const inner = withTable(isTable(value) ? value : {}, rest, table);
  return table === undefined && Object.keys(inner).length === 0 ? others : { ...root, [name]: inner };
}

function unknownNotation(path: TomlPath, entry?: Readonly<Record<string, unknown>>): UneditableError {
  const name = `[${path.map(keyText).join('.')}]`;
  const lines = [name, ...Object.entries(entry ?? {}).map(keyLine)].join('\n');
  const todo = entry === undefined ? 'Remove it there by hand.' : `Write this there by hand:\n${lines}`;
  return new UneditableError(`writes ${name} in a way that is not edited here`, todo);
}
