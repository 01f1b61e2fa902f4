import { parse, TomlError } from 'smol-toml';
import { AgentXError } from '../protocol/errors.js';
import { findUnsound, pathText } from '../protocol/sound-data.js';
import { findTomlLines, type LineOf, type TomlPath } from './toml-lines.js';

/** A parsed TOML file, with the lines of its keys. */
export interface TomlDocument {
  /** As people would type it. */
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly lineOf: LineOf;
}

/** CONFIG_ERROR with line and column if the text is not TOML. */
export function parseToml(text: string, file: string): TomlDocument {
  const source = text.replace(/^\uFEFF/, '');
  let lines: LineOf | undefined;
  const lineOf: LineOf = (path) => {
    lines ??= findTomlLines(source);
    return lines(path);
  };
  try {
    const document = { file, value: parse(source, { integersAsBigInt: 'asNeeded' }), lineOf };
    const unsound = findUnsound(document.value, { anyKey: true });
    if (unsound === undefined) return document;
    const { path, problem } = unsound;
    throw configError(document, { path, problem: `'${pathText(path, file)}' ${problem}.` });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    throw new AgentXError(
      'CONFIG_ERROR',
      `${file}, line ${line}, column ${column}: not valid TOML: ${reason}.`,
      { file, line, column, reason },
      { cause: error },
    );
  }
}

/** One error in a file; `problem` is a sentence that names the key and what is allowed. */
export interface Problem {
  readonly path: TomlPath;
  readonly problem: string;
}

export function configError({ file, lineOf }: TomlDocument, { path, problem }: Problem, more = 0): AgentXError {
  const line = lineOf(path);
  const key = path.filter((part) => typeof part === 'string').at(-1);
  const others = more > 0 ? ` (${more} more ${more === 1 ? 'problem' : 'problems'} in this file.)` : '';
  return new AgentXError('CONFIG_ERROR', `${placeOf(file, line)}: ${problem}${others}`, { file, line, key, problem });
}

export const placeOf = (file: string, line: number | undefined): string =>
  line === undefined ? file : `${file}, line ${line}`;
