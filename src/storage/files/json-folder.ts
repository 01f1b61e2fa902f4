import { join } from 'node:path';
import type * as z from 'zod/mini';
import type { Listing } from '../../ports/store.js';
import { parseWith } from '../../protocol/parse.js';
import type { DocumentKind } from './document-kind.js';
import { FolderIndex } from './folder-index.js';
import { type FilesContext, JsonFile } from './json-file.js';

export interface JsonFolderOptions<K, T, S> {
  readonly folder: string;
  readonly indexFile: string;
  /** What one file holds, for people: "ledger". */
  readonly what: string;
  readonly schema: z.core.$ZodType<T>;
  readonly mode: number;
  readonly nameOf: (key: K) => string;
  /** Undefined for files that are none of ours. */
  readonly keyOf: (name: string) => K | undefined;
  /** What the document itself says its key is: a file under another's name is damaged. */
  readonly keyIn: (value: T) => K;
  /** The part of `next` that must be checked when `before` was; all of it where this is not given. */
  readonly changedPart?: (next: T, before: T) => T;
  /** What a listing needs to know of a file to decide whether to open it. */
  readonly summary: { readonly version: number; readonly of: (value: T) => S };
}

/** A folder of JSON documents, one per key. */
export class JsonFolder<K extends string | number, T, S> {
  readonly #files = new Map<K, JsonFile<T>>();
  readonly #index: FolderIndex<S>;

  constructor(
    private readonly context: FilesContext,
    private readonly options: JsonFolderOptions<K, T, S>,
  ) {
    const { folder, indexFile, summary, keyOf } = options;
    this.#index = new FolderIndex({
      fs: context.fs,
      folder,
      indexFile,
      version: summary.version,
      isMember: (name) => keyOf(name) !== undefined,
      summarise: (name) => {
        const key = keyOf(name);
        const value = key === undefined ? undefined : this.file(key).readNow();
        return value === undefined ? undefined : summary.of(value);
      },
    });
  }

  file(key: K): JsonFile<T> {
    const known = this.#files.get(key);
    if (known) return known;
    if (this.#files.size >= FILES_KEPT) this.#forgetIdleFiles();
    const file = new JsonFile(this.context, this.#kindOf(key), join(this.options.folder, this.options.nameOf(key)));
    this.#files.set(key, file);
    return file;
  }

  /** The keys in use, including those of damaged files. */
  keys(): K[] {
    return this.#index.names().flatMap((name) => this.options.keyOf(name) ?? []);
  }

  /** The documents whose summary is wanted. Only those, and what changed since the last listing, are opened. */
  list(isWanted: (summary: S) => boolean): Listing<T> {
    const { entries, damaged } = this.#index.list();
    const keys = entries.flatMap(({ name, summary }) => (isWanted(summary) ? (this.options.keyOf(name) ?? []) : []));
    return { items: keys.flatMap((key) => this.file(key).readNow() ?? []), damaged };
  }

  #kindOf(key: K): DocumentKind<T> {
    const { schema, what, mode, keyIn, changedPart } = this.options;
    const parse = (value: unknown): T => {
      const parsed = parseWith(schema, value, `The ${what}`);
      if (keyIn(parsed) !== key) throw new Error(`it says it is ${keyIn(parsed)}, its name says ${key}`);
      return parsed;
    };
    return { parse, mode, durable: true, ...(changedPart && { changedPart }) };
  }

  #forgetIdleFiles(): void {
    for (const [key, file] of this.#files) if (file.isIdle) this.#files.delete(key);
  }
}

const FILES_KEPT = 1_000;
