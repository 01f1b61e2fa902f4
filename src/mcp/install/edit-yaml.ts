import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { eolOf, lineStart, splice, splitBom } from './text-file.js';
import { UneditableError } from './uneditable.js';

type Values = Readonly<Record<string, unknown>>;

/** What a YAML file says: one object, or nothing. */
export function readYaml(text: string): Values {
  return dataOf(splitBom(text).body);
}

/**
 * Gives the item of this `name` in a list these values, or adds one. Everything else stays as it is written. The result
 * is read once more: a file that writes the list in a way that we do not edit is refused and not damaged.
 */
export function setYamlItem(text: string, list: string, values: Values & { readonly name: string }): string {
  const { bom, body } = splitBom(text);
  const data = dataOf(body);
  const items = itemsOf(data, list);
  const existingItem = items.find((item) => nameOf(item) === values.name);
  const changedValues = Object.entries(values).filter(
    ([key, value]) => !isDeepStrictEqual(Object(existingItem)[key], value),
  );
  if (changedValues.length === 0) return text;
  const after =
    existingItem === undefined
      ? addItem(body, list, values)
      : changedValues.reduce((part, one) => setValue(part, list, values.name, one), body);
  const expectedItems =
    existingItem === undefined
      ? [...items, values]
      : items.map((item) => (item === existingItem ? { ...Object(item), ...values } : item));
  if (!isDeepStrictEqual(readAgain(after), { ...data, [list]: expectedItems })) throw unknownNotation(list, values);
  return bom + after;
}

/** Removes the item of this name, and the list if it was the only one. */
export function removeYamlItem(text: string, list: string, name: string): string {
  const { bom, body } = splitBom(text);
  const data = dataOf(body);
  const items = itemsOf(data, list);
  const rest = items.filter((item) => nameOf(item) !== name);
  if (rest.length === items.length) return text;
  const after = rest.length === 0 ? removeKey(body, list) : removeItem(body, list, name);
  const { [list]: _, ...others } = data;
  if (!isDeepStrictEqual(readAgain(after), rest.length === 0 ? others : { ...data, [list]: rest })) {
    throw new UneditableError(`writes '${list}' in a way that is not edited here`, `Remove '${name}' there by hand.`);
  }
  return bom + after;
}

function addItem(body: string, list: string, values: Values): string {
  const eol = eolOf(body);
  const pair = pairOf(body, list);
  if (pair === undefined) {
    const lines = [`${list}:`, ...blockItem(values, '  ')].join(eol);
    return body === '' || body.endsWith('\n') ? `${body}${lines}${eol}` : `${body}${eol}${lines}`;
  }
  const { value } = pair;
  if (isSeq(value) && !value.flow && value.range) {
    const [start] = value.range;
    const indent = ' '.repeat(start - lineStart(body, start));
    const at = lineEnd(body, contentEnd(body, value));
    return splice(body, at, at, [eol, blockItem(values, indent).join(eol)].join(''));
  }
  if (isSeq(value) && value.items.length > 0 && value.range) {
    const close = value.range[1] - 1;
    return splice(body, close, close, `, ${JSON.stringify(values)}`);
  }
  // An empty list, or nothing after the colon.
  const [from, to] = (isSeq(value) || isScalar(value) ? value.range : undefined) ?? [0, 0];
  const after = isScalar(pair.key) ? (pair.key.range?.[1] ?? 0) + 1 : 0;
  return splice(body, after, Math.max(to, from, after), [eol, blockItem(values, '  ').join(eol)].join(''));
}

function blockItem(values: Values, indent: string): readonly string[] {
  return Object.entries(values).map(
    ([key, value], index) => `${indent}${index === 0 ? '- ' : '  '}${key}: ${scalarText(value)}`,
  );
}

/** A value of the present item in its place, or a new line at the end of the item. */
function setValue(body: string, list: string, name: string, [key, value]: readonly [string, unknown]): string {
  const item = itemOf(body, list, name);
  const existingPair = item?.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
  const range =
    isSeq(existingPair?.value) || isMap(existingPair?.value) || isScalar(existingPair?.value)
      ? existingPair.value.range
      : undefined;
  if (range) return splice(body, range[0], contentEndAt(body, range[1]), scalarText(value));
  if (item?.range === undefined || item.range === null || item.flow) return body;
  const column = item.range[0] - lineStart(body, item.range[0]);
  const at = lineEnd(body, contentEnd(body, item));
  return splice(body, at, at, `${eolOf(body)}${' '.repeat(column)}${key}: ${scalarText(value)}`);
}

function removeItem(body: string, list: string, name: string): string {
  const item = itemOf(body, list, name);
  if (!item?.range) return body;
  const start = lineStart(body, item.range[0]);
  const end = lineEnd(body, contentEnd(body, item));
  return withoutLines(body, start, end);
}

function removeKey(body: string, list: string): string {
  const pair = pairOf(body, list);
  const value = pair?.value;
  if (!isScalar(pair?.key) || !pair.key.range || !isSeq(value)) return body;
  return withoutLines(body, lineStart(body, pair.key.range[0]), lineEnd(body, contentEnd(body, value)));
}

/** Whole lines, with the line break after them, or in front of them at the end of a file that has none there. */
function withoutLines(body: string, start: number, end: number): string {
  const [after = ''] = /^\r?\n/.exec(body.slice(end)) ?? [];
  if (after !== '') return splice(body, start, end + after.length, '');
  const [before = ''] = /\r?\n$/.exec(body.slice(0, start)) ?? [];
  return splice(body, start - before.length, end, '');
}

/** The end of what is written, without the blanks and comments that the parser counts to it. */
function contentEnd(body: string, node: YAMLSeq | YAMLMap): number {
  const last = node.items.at(-1);
  const inner = node.flow ? undefined : isPair(last) ? last.value : last;
  if (isSeq(inner) || isMap(inner)) return contentEnd(body, inner);
  const own = isScalar(inner) ? inner.range?.[1] : node.range?.[1];
  return contentEndAt(body, own ?? body.length);
}

function contentEndAt(body: string, end: number): number {
  return body.slice(0, end).trimEnd().length;
}

function isPair(value: unknown): value is Pair {
  return typeof value === 'object' && value !== null && 'key' in value;
}

function lineEnd(body: string, position: number): number {
  const at = body.indexOf('\n', position);
  if (at < 0) return body.length;
  return body[at - 1] === '\r' ? at - 1 : at;
}

/** Words stand as they are, anything else as JSON, which is YAML too. */
function scalarText(value: unknown): string {
  if (
    typeof value === 'string' &&
    /^[A-Za-z/][\w./-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)
  ) {
    return value;
  }
  return JSON.stringify(value);
}

function pairOf(body: string, key: string): Pair | undefined {
  return rootOf(body)?.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function itemOf(body: string, list: string, name: string): YAMLMap | undefined {
  const value = pairOf(body, list)?.value;
  if (!isSeq(value)) return undefined;
  return value.items.find((item): item is YAMLMap => isMap(item) && item.get('name') === name);
}

function rootOf(body: string): YAMLMap | undefined {
  const lineCounter = new LineCounter();
  const document = parseDocument(body, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new UneditableError(`is no valid YAML on line ${lineCounter.linePos(error.pos[0]).line}: ${error.message}`);
  }
  if (document.contents === null) return undefined;
  if (!isMap(document.contents)) throw new UneditableError('holds something else than keys and values');
  return document.contents;
}

function dataOf(body: string): Values {
  rootOf(body);
  return Object(parseDocument(body).toJS() ?? {});
}

function readAgain(body: string): Values | undefined {
  try {
    return dataOf(body);
  } catch {
    return undefined;
  }
}

function itemsOf(data: Values, list: string): readonly unknown[] {
  const value = data[list] ?? [];
  if (!Array.isArray(value)) throw new UneditableError(`has something else than a list at '${list}'`);
  return value;
}

const nameOf = (item: unknown): unknown => Object(item).name;

function unknownNotation(list: string, values: Values): UneditableError {
  const lines = [`${list}:`, ...blockItem(values, '  ')].join('\n');
  return new UneditableError(
    `writes '${list}' in a way that is not edited here`,
    `Write this there by hand:\n${lines}`,
  );
}
