/*
 * What a listing needs to know about each file of a folder, without opening them all.
 *
 * The index is derived: it may be missing, old or damaged at any time and is then made anew. A listing compares every
 * file's size, times and inode with what they were when the file was last read, and reads those that differ. A file
 * that changed in the last moments before it was read is read again: see `isSettled`.
 */
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Listing } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { errorCode, type FileSystem, hasPrint, isSettled, type Print, printOf, readIfThere } from './file-system.js';
import { sweepLitter } from './litter.js';
import { makeInside } from './make-inside.js';
import { asStoreError } from './store-error.js';
import { writeWhole } from './write-whole.js';

export interface FolderIndexOptions<S> {
  readonly fs: FileSystem;
  readonly folder: string;
  /** Where the index is kept between commands. */
  readonly indexFile: string;
  /** Raised whenever the meaning of a summary changes. */
  readonly version: number;
  readonly isMember: (name: string) => boolean;
  /**
   * Reads the file of that name: what a listing shows of it, or null if it is of no interest; undefined if it is gone.
   * Throws CORRUPT_FILE if it is damaged.
   */
  readonly summarise: (name: string) => S | null | undefined;
  /** The order in which they are shown. */
  readonly compare: (left: S, right: S) => number;
}

/** A file as it was when it was read. Without a print it is read again: a later change might not show. */
type KnownFile<S> = readonly [name: string, print: Print | null, summary: S | null];

/** The first listing of a process writes the index for the next one if it had to read one file in so many. */
const WORTH_WRITING = 128;

export class FolderIndex<S> {
  #files: ReadonlyMap<string, KnownFile<S>> | undefined;
  #items: readonly S[] = [];

  constructor(private readonly options: FolderIndexOptions<S>) {}

  list(): Listing<S> {
    const { fs, folder, isMember, compare } = this.options;
    const isFirst = this.#files === undefined;
    const before = this.#files ?? this.#load();
    const files = new Map<string, KnownFile<S>>();
    const damaged: AgentXError[] = [];
    let read = 0;
    for (const name of namesIn(fs, folder)) {
      const known = before.get(name);
      if (known === undefined && !isMember(name)) continue;
      try {
        const file = this.#lookAt(name, known);
        if (file !== undefined) files.set(name, file);
        if (file !== known) read++;
      } catch (error) {
        if (!(error instanceof AgentXError)) throw asStoreError('read', folder, error);
        damaged.push(error);
      }
    }
    this.#files = files;
    if (isFirst || read > 0 || files.size !== before.size) {
      const summaries = [...files.values()].map(([, , summary]) => summary);
      this.#items = summaries.filter((summary) => summary !== null).sort(compare);
    }
    if (isFirst && read > files.size / WORTH_WRITING) this.#save(files);
    return { items: this.#items, damaged };
  }

  #lookAt(name: string, known: KnownFile<S> | undefined): KnownFile<S> | undefined {
    const stat = this.#stat(name);
    if (stat === undefined) return undefined;
    if (known?.[1] && hasPrint(stat, known[1])) return known;
    const print = isSettled(stat) ? printOf(stat) : null;
    const summary = this.options.summarise(name);
    return summary === undefined ? undefined : [name, print, summary];
  }

  #stat(name: string): Stats | undefined {
    const path = `${this.options.folder}/${name}`;
    try {
      return this.options.fs.statSync(path, IF_THERE);
    } catch (error) {
      // Examining files takes no permission but the folder's: without it, none of them can be examined.
      throw errorCode(error) === 'EACCES' ? error : asStoreError('read', path, error);
    }
  }

  #load(): ReadonlyMap<string, KnownFile<S>> {
    const { fs, indexFile, version } = this.options;
    try {
      const saved: SavedIndex<S> = JSON.parse(readIfThere(fs, indexFile)?.toString('utf8') ?? 'null');
      const trusted = saved.version === version ? saved.files.filter(([, print]) => Array.isArray(print)) : [];
      return new Map(trusted.map((file) => [file[0], file]));
    } catch {
      return new Map(); // Damaged or missing: it is derived, so it is simply made anew.
    }
  }

  /** A full or read-only disk must not prevent reading: then the next process reads the files itself. */
  #save(files: ReadonlyMap<string, KnownFile<S>>): void {
    const { fs, indexFile, version } = this.options;
    const saved: SavedIndex<S> = { version, files: [...files.values()] };
    try {
      makeInside(fs, join(dirname(indexFile), '../..'), dirname(indexFile));
      sweepLitter(fs, dirname(indexFile));
      writeWhole(fs, indexFile, JSON.stringify(saved), 0o600);
    } catch {
      // It stays as it was.
    }
  }
}

interface SavedIndex<S> {
  readonly version: number;
  readonly files: readonly KnownFile<S>[];
}

export function namesIn(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw asStoreError('read', folder, error);
  }
}

const IF_THERE = { throwIfNoEntry: false } as const;
