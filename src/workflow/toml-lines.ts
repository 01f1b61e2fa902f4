/** Keys of tables and indexes of lists, from the outside in: `['steps', 2, 'can_clarify']`. */
export type TomlPath = readonly PropertyKey[];

/** The line of a key, or of the nearest table around it that has one. */
export type LineOf = (path: TomlPath) => number | undefined;

/**
 * Finds the lines of tables and keys, which the parser does not tell. The text must be valid TOML: only strings,
 * comments and brackets are examined. Keys inside inline tables have the line of the key that holds them.
 */
export function findTomlLines(text: string): LineOf {
  const lines = new Map<string, number>();
  const note = (path: TomlPath, line: number): void => {
    for (let length = 1; length <= path.length; length++) {
      const key = keyOf(path.slice(0, length));
      if (!lines.has(key)) lines.set(key, line);
    }
  };
  let table: TomlPath = [];
  const lastIndex = new Map<string, number>();
  for (const statement of statementsOf(text)) {
    if (statement.kind === 'key') {
      note([...table, ...statement.names], statement.line);
      continue;
    }
    table = resolveTable(statement, lastIndex);
    note(table, statement.line);
  }
  return (path) => nearest(lines, path);
}

/** A key with the tokens of its value, as they stand there. */
export interface TomlValue {
  readonly path: TomlPath;
  readonly line: number;
  readonly tokens: readonly string[];
}

/** For callers that need a key or two before the parser is loaded. Inline tables are one value. */
export function* tomlValues(text: string): Generator<TomlValue> {
  let table: TomlPath = [];
  const lastIndex = new Map<string, number>();
  for (const statement of statementsOf(text)) {
    const { kind, names, line, tokens } = statement;
    if (kind === 'key') yield { path: [...table, ...names], line, tokens };
    else table = resolveTable(statement, lastIndex);
  }
}

interface Statement {
  readonly kind: 'key' | 'table' | 'list-of-tables';
  readonly names: string[];
  readonly line: number;
  readonly tokens: string[];
}

/** `[steps.extra]` below a `[[steps]]` belongs to the step that was opened last. */
function resolveTable({ kind, names }: Statement, lastIndex: Map<string, number>): TomlPath {
  const path: PropertyKey[] = [];
  for (const [position, name] of names.entries()) {
    path.push(name);
    const key = keyOf(path);
    if (kind === 'list-of-tables' && position === names.length - 1) lastIndex.set(key, (lastIndex.get(key) ?? -1) + 1);
    const index = lastIndex.get(key);
    if (index !== undefined) path.push(index);
  }
  return path;
}

/** `start` of a statement, among its `names`, or in the `rest` after `=` or `]`, which ends with its line. */
type Position = 'start' | 'names' | 'rest';

function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let statement: Statement = { kind: 'key', names: [], line: 1, tokens: [] };
  let position: Position = 'start';
  let depth = 0;
  for (const { token, line } of tokensOf(text)) {
    if (position === 'rest') {
      statement.tokens.push(token);
      if (token === '[' || token === '{') depth++;
      else if (token === ']' || token === '}') depth--;
      else if (token === '\n' && depth <= 0) position = 'start';
    } else if (token === '\n') {
      position = 'start';
    } else if (token === '[') {
      statement = { kind: position === 'start' ? 'table' : 'list-of-tables', names: [], line, tokens: [] };
      position = 'names';
    } else if (token === '=' || token === ']') {
      statements.push(statement);
      depth = 0;
      position = 'rest';
    } else if (token !== '.') {
      if (position === 'start') statement = { kind: 'key', names: [], line, tokens: [] };
      statement.names.push(tomlText(token));
      position = 'names';
    }
  }
  return statements;
}

// Strings of several lines come first: their quotes look like an empty string followed by another one.
const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"""(?!")|'''[\s\S]*?'''(?!')|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[\w-]+|[ \t\r]+|[\s\S]/g;

function* tokensOf(text: string): Generator<{ token: string; line: number }> {
  let line = 1;
  for (const [token] of text.matchAll(TOKEN)) {
    if (!/^[ \t\r#]/.test(token)) yield { token, line };
    if (token.includes('\n')) line += token.split('\n').length - 1;
  }
}

/** The text of a string; anything else as it stands there. */
export function tomlText(token: string): string {
  const [, , lines] = /^("""|''')\r?\n?([\s\S]*)\1$/.exec(token) ?? [];
  if (lines !== undefined) return lines;
  if (token.startsWith("'")) return token.slice(1, -1);
  if (!token.startsWith('"')) return token;
  try {
    return String(JSON.parse(token));
  } catch {
    // An escape that TOML knows and JSON does not: such a key has no line of its own.
    return token;
  }
}

function nearest(lines: ReadonlyMap<string, number>, path: TomlPath): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const line = lines.get(keyOf(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return undefined;
}

const keyOf = (path: TomlPath): string => JSON.stringify(path.map((key) => (typeof key === 'symbol' ? '' : key)));
