import { join } from 'node:path';
import type * as z from 'zod/mini';
import type { Listing, Page, Update } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { type Paging, pageOf } from '../../protocol/page.js';
import { parseWith } from '../../protocol/parse.js';
import { changeFits as partsFit } from './change-fits.js';
import type { DocumentKind } from './document-kind.js';
import type { FilesContext } from './files-context.js';
import { FolderIndex, type FolderIndexOptions, namesIn } from './folder-index.js';
import { type Fence, JsonFile } from './json-file.js';

export interface JsonFolderOptions<K, T> {
  readonly folder: string;
  /** What one file holds, for people: "ledger". */
  readonly what: string;
  readonly schema: z.core.$ZodType<T>;
  /** Private unless it says otherwise. */
  readonly mode?: number;
  readonly nameOf: (key: K) => string;
  /** Undefined for files that are not ours. */
  readonly keyOf: (name: string) => K | undefined;
  /** The key inside the document: a file under another's name is damaged. */
  readonly keyIn: (value: T) => K;
  /** Output of programs is kept as it is: it may hold any text. */
  readonly anyText?: boolean;
  /** For a schema with rules about the parts together. */
  readonly changeFits?: DocumentKind<T>['changeFits'];
}

/** What a listing shows of the documents of a folder. */
interface SummaryOptions<T, S> extends Pick<FolderIndexOptions<S>, 'version' | 'compare'> {
  readonly index: string;
  /** Null for those that it does not show. */
  readonly of: (value: T) => S | null;
}

export class JsonFolder<K extends string | number, T> {
  readonly #files = new Map<K, JsonFile<T>>();

  constructor(
    private readonly context: FilesContext,
    private readonly options: JsonFolderOptions<K, T>,
  ) {}

  file(key: K): JsonFile<T> {
    const openFile = this.#files.get(key);
    if (openFile) return openFile;
    if (this.#files.size >= FILES_KEPT) {
      for (const [idle, { isIdle }] of this.#files) if (isIdle) this.#files.delete(idle);
    }
    const file = this.#open(key);
    this.#files.set(key, file);
    return file;
  }

  /** Does not keep the content: for a caller that goes through thousands and keeps what it needs of each. */
  readOnce(key: K): T | undefined {
    return (this.#files.get(key) ?? this.#open(key)).readNow();
  }

  async read(key: K): Promise<T | undefined> {
    return this.file(key).read();
  }

  async update<R>(key: K, update: Update<T, R, T | undefined>, fence?: Fence): Promise<R> {
    return this.file(key).update(update, fence);
  }

  /** For documents that every key has: one that has no file yet is empty. */
  orEmpty(empty: (key: K) => T) {
    return {
      read: async (key: K): Promise<T> => (await this.read(key)) ?? empty(key),
      update: <R>(key: K, update: Update<T, R>): Promise<R> =>
        this.update(key, (current) => update(current ?? empty(key))),
    };
  }

  /** The keys in use, including those of damaged files. */
  keys(): K[] {
    return namesIn(this.context.fs, this.options.folder).flatMap((name) => this.options.keyOf(name) ?? []);
  }

  /** What a listing shows of the documents, without opening unchanged ones. */
  summaries<S>({ of, index: name, ...options }: SummaryOptions<T, S>): () => Listing<S> {
    const { keyOf, folder } = this.options;
    const { fs, layout } = this.context;
    const index = new FolderIndex<S>({
      ...options,
      fs,
      indexFile: join(layout.index, `${name}.json`),
      folder,
      isMember: (name) => keyOf(name) !== undefined,
      summarise: (name) => {
        const key = keyOf(name);
        const value = key === undefined ? undefined : this.file(key).readNow();
        return value === undefined ? undefined : of(value);
      },
    });
    return () => index.list();
  }

  #open(key: K): JsonFile<T> {
    return new JsonFile(this.context, this.#kindOf(key), join(this.options.folder, this.options.nameOf(key)));
  }

  #kindOf(key: K): DocumentKind<T> {
    const { schema, what, mode = 0o600, keyIn, anyText = false } = this.options;
    const { changeFits = (next: T, before: T) => partsFit(schema, next, before) } = this.options;
    const parse = (value: unknown): T => {
      const parsed = parseWith(schema, value, `The ${what}`, { anyText });
      if (keyIn(parsed) !== key) throw new Error(`it says it is ${keyIn(parsed)}, its name says ${key}`);
      return parsed;
    };
    return {
      parse,
      changeFits: (next, before) => keyIn(next) === key && changeFits(next, before),
      mode,
      durable: true,
    };
  }
}

const FILES_KEPT = 1_000;

/** One page of a listing, each item read anew. Only the first page tells of damaged documents that it does not show. */
export function readPage<L, T>(
  { items, damaged }: Listing<L>,
  paging: Paging,
  { position, read }: { readonly position: (one: L) => string; readonly read: (one: L) => T | undefined },
): Page<T> {
  const { items: pageItems, ...rest } = pageOf(items, paging, position);
  const readItems = readEach(pageItems, read);
  const others = paging.after === undefined ? damaged : [];
  return { ...rest, items: readItems.items, damaged: [...others, ...readItems.damaged] };
}

/** A file that was just listed may be gone or damaged by now. */
export function readEach<L, T>(listedItems: readonly L[], read: (one: L) => T | undefined): Listing<T> {
  const items: T[] = [];
  const damaged: AgentXError[] = [];
  for (const one of listedItems) {
    try {
      const value = read(one);
      if (value !== undefined) items.push(value);
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      damaged.push(error);
    }
  }
  return { items, damaged };
}
