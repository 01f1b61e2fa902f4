import { isDeepStrictEqual } from 'node:util';
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser/lib/esm/main.js';
import { eolOf, indentAt, splice, splitBom, styleOf } from './text-file.js';
import { UneditableError } from './uneditable.js';

export type JsonPath = readonly string[];

/** A JSON file with comments, changed in place: only what is set or removed changes, everything else stays as it was. */
export function editJson(text: string, change: (file: JsonFile) => void): string {
  const { bom, body } = splitBom(text);
  const file = new JsonFile(body);
  change(file);
  return bom + file.text;
}

/** What a JSON file with comments says; undefined if it is empty. */
export function readJson(text: string): unknown {
  return new JsonFile(splitBom(text).body).value([]);
}

export class JsonFile {
  #text: string;
  #parsed: { readonly text: string; readonly root: Node | undefined } | undefined;

  constructor(text: string) {
    this.#text = text;
    const root = this.#root();
    if (root !== undefined && root.type !== 'object') {
      throw new UneditableError(`holds ${kindOf(root)} instead of an object`);
    }
  }

  get text(): string {
    return this.#text;
  }

  value(path: JsonPath): unknown {
    const root = this.#root();
    const node = root === undefined ? undefined : nodeAt(root, path);
    return node === undefined ? undefined : getNodeValue(node);
  }

  /** Whether a comment stands anywhere in this value; of the whole file, also in front of it and after it. */
  hasComment(path: JsonPath): boolean {
    const root = this.#root();
    const node = root === undefined ? undefined : nodeAt(root, path);
    const source = node === undefined || path.length === 0 ? this.#text : this.#sourceOf(node);
    return /\/[/*]/.test(source.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
  }

  /** Writes a value, and the objects around it that are missing. A value that is there already stays as it is written. */
  set(path: JsonPath, value: unknown): void {
    if (isDeepStrictEqual(this.value(path), value)) return;
    const root = this.#root();
    if (root === undefined) {
      const eol = eolOf(this.#text);
      const comments = this.#text.trim();
      this.#text = `${comments}${comments === '' ? '' : eol}{}${eol}`;
      this.set(path, value);
      return;
    }
    const existingNode = nodeAt(root, path);
    if (existingNode !== undefined) {
      const indent = indentAt(this.#text, existingNode.offset);
      this.#text = splice(
        this.#text,
        existingNode.offset,
        existingNode.offset + existingNode.length,
        this.#written(value, indent, existingNode),
      );
      return;
    }
    const [parent, missingKeys] = this.#deepest(root, path);
    const [key = '', ...below] = missingKeys;
    this.#insert(
      parent,
      `${JSON.stringify(key)}: `,
      below.reduceRight((inner, name) => ({ [name]: inner }), value),
    );
  }

  /** Adds a value at the end of a list, which is made if it is missing. */
  append(path: JsonPath, value: unknown): void {
    const root = this.#root();
    const list = root === undefined ? undefined : nodeAt(root, path);
    if (list === undefined) {
      this.set(path, [value]);
      return;
    }
    if (list.type !== 'array')
      throw new UneditableError(`has ${kindOf(list)} at '${path.join('.')}' instead of a list`);
    this.#insert(list, '', value);
  }

  /** Removes a key or an element of a list, and the comma that it needed. */
  remove(path: readonly (string | number)[]): void {
    const root = this.#root();
    const node = root === undefined ? undefined : nodeAt(root, path);
    if (node?.parent === undefined) return;
    const item = node.parent.type === 'property' ? node.parent : node;
    const siblings = item.parent?.children ?? [];
    const index = siblings.indexOf(item);
    const previous = siblings[index - 1];
    const end = item.offset + item.length;
    const comma = this.#commaAfter(end);
    const from = previous === undefined ? (item.parent?.offset ?? 0) + 1 : previous.offset + previous.length;
    const start = this.#blanksBefore(item.offset);
    const to = comma === undefined ? end : comma + 1;
    const isLastOfLine = /^[ \t]*\r?\n/.test(this.#text.slice(to));
    // What follows on the line must not join a comment in front of the item.
    const keepsBreak = !isLastOfLine && this.#endsInLineComment(from, start);
    this.#text = splice(this.#text, keepsBreak ? item.offset : start, to, '');
    // The comma in front goes with the last item, unless the file ends its lists with a comma.
    if (comma === undefined && previous !== undefined) {
      const before = this.#commaAfter(from) ?? item.offset;
      this.#text = splice(this.#text, before, before + 1, '');
    }
    this.#closeIfEmpty(path.slice(0, -1));
  }

  /** `{` and `}` of an object that has become empty stand together again. */
  #closeIfEmpty(path: readonly (string | number)[]): void {
    const root = this.#root();
    const node = root === undefined ? undefined : nodeAt(root, path);
    if (node === undefined) return;
    const inside = this.#text.slice(node.offset + 1, node.offset + node.length - 1);
    if (inside.trim() === '') this.#text = splice(this.#text, node.offset + 1, node.offset + node.length - 1, '');
  }

  #insert(container: Node, label: string, value: unknown): void {
    const items = container.children ?? [];
    const last = items.at(-1);
    const close = container.offset + container.length - 1;
    const isOneLine = !this.#text.slice(container.offset, close).includes('\n') && last !== undefined;
    const { eol, indent } = styleOf(this.#text);
    if (last === undefined) {
      const outer = indentAt(this.#text, container.offset);
      const valueText = this.#written(value, outer + indent, container);
      const [start, end] = this.#isMinified() ? ['', ''] : [`${eol}${outer}${indent}`, `${eol}${outer}`];
      // A comment inside stays in front.
      const from = this.#blanksBefore(close);
      this.#text = splice(this.#text, from, close, start + this.#spaced(label) + valueText + end);
      return;
    }
    const after = last.offset + last.length;
    const comma = this.#commaAfter(after);
    const inner = isOneLine ? indentAt(this.#text, container.offset) : indentAt(this.#text, last.offset);
    const item = this.#spaced(label) + this.#written(value, inner, container);
    const at = this.#blanksBefore(close);
    const gap = isOneLine ? (this.#isMinified() ? '' : ' ') : eol + inner;
    this.#text = splice(this.#text, at, at, gap + item + (comma === undefined ? '' : ','));
    if (comma === undefined) this.#text = splice(this.#text, after, after, ',');
  }

  /** As this file is written: on one line if the file is, else indented below `outer`. */
  #written(value: unknown, outer: string, neighbour: Node): string {
    const { eol, indent } = styleOf(this.#text);
    const isOneLine =
      neighbour.parent !== undefined &&
      (neighbour.children?.length ?? 0) > 0 &&
      !this.#sourceOf(neighbour).includes('\n');
    if (this.#isMinified()) return JSON.stringify(value);
    if (isOneLine) return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
    return jsonText(value, indent, eol + outer);
  }

  #spaced(label: string): string {
    return this.#isMinified() ? label.trimEnd() : label;
  }

  /** A file that a program wrote on one line, without blanks. */
  #isMinified(): boolean {
    return !this.#text.trim().includes('\n') && /[{,]"(?:[^"\\]|\\.)*":\S/.test(this.#text);
  }

  #sourceOf(node: Node): string {
    return this.#text.slice(node.offset, node.offset + node.length);
  }

  /** The position of the comma that follows, with blanks and comments between. */
  #commaAfter(position: number): number | undefined {
    const [skippedText = ''] = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(this.#text.slice(position)) ?? [];
    const at = position + skippedText.length;
    return this.#text[at] === ',' ? at : undefined;
  }

  #blanksBefore(position: number): number {
    let start = position;
    while (start > 0 && /\s/.test(this.#text[start - 1] ?? '')) start -= 1;
    return start;
  }

  /** Whether a comment that ends with its line is the last thing between two items. */
  #endsInLineComment(from: number, to: number): boolean {
    return /\/\/[^\n]*$/.test(this.#text.slice(from, to).replace(/\/\*[\s\S]*?\*\/|(\/\/[^\n]*)/g, '$1'));
  }

  /** The object that is there, and the names below it that are not. */
  #deepest(root: Node, path: JsonPath): readonly [Node, readonly string[]] {
    for (let length = path.length - 1; length >= 0; length--) {
      const node = nodeAt(root, path.slice(0, length));
      if (node === undefined) continue;
      if (node.type !== 'object') {
        throw new UneditableError(`has ${kindOf(node)} at '${path.slice(0, length).join('.')}' instead of an object`);
      }
      return [node, path.slice(length)];
    }
    return [root, path];
  }

  /** Parsed once for each text: the settings of a client can be megabytes. */
  #root(): Node | undefined {
    if (this.#parsed?.text !== this.#text) this.#parsed = { text: this.#text, root: this.#parse() };
    return this.#parsed.root;
  }

  #parse(): Node | undefined {
    const errors: ParseError[] = [];
    const root = parseTree(this.#text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const [error] = errors;
    if (error !== undefined) {
      const line = this.#text.slice(0, error.offset).split('\n').length;
      throw new UneditableError(`is no valid JSON: ${printParseErrorCode(error.error)} on line ${line}`);
    }
    return root;
  }
}

/** Of a key that stands there twice, the last one counts, as for JSON.parse. */
function nodeAt(root: Node, path: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = root;
  for (const name of path) {
    if (node === undefined) return undefined;
    if (typeof name === 'number') node = findNodeAtLocation(node, [name]);
    else if (node.type !== 'object') return undefined;
    else node = node.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
  }
  return node;
}

function kindOf({ type }: Node): string {
  if (type === 'array') return 'a list';
  return type === 'object' ? 'an object' : `a ${type}`;
}

const LONGEST_LIST = 80;

/** As people write it: a short list of words stands on one line. */
function jsonText(value: unknown, indent: string, lineBreak: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = lineBreak + indent;
  if (Array.isArray(value)) {
    const items = value.map((item) => jsonText(item, indent, inner));
    const isShort = value.every((item) => typeof item !== 'object') && items.join(', ').length <= LONGEST_LIST;
    return isShort ? `[${items.join(', ')}]` : `[${inner}${items.join(`,${inner}`)}${lineBreak}]`;
  }
  const items = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${jsonText(one, indent, inner)}`);
  return items.length === 0 ? '{}' : `{${inner}${items.join(`,${inner}`)}${lineBreak}}`;
}
