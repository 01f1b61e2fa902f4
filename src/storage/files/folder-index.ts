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
import type { AgentXError } from '../../protocol/errors.js';
import {
  errorCode,
  type FileSystem,
  isSettled,
  makeInside,
  type Print,
  printOf,
  readIfThere,
  statIfThere,
} from './file-system.js';
import { sweepLitter } from './litter.js';
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
  readonly compare: (left: S, right: S) => number;
}

/**
 * The files of a folder as they were when they were read, in columns: to parse ten thousand rows takes a tenth of a
 * command.
 */
interface KnownFiles<S> {
  readonly names: string[];
  /** Four numbers for each file; zeros if it is to be read again, because a later change might not show. */
  readonly prints: number[];
  readonly summaries: (S | null)[];
}

interface SavedIndex<S> extends KnownFiles<S> {
  readonly version: number;
}

const UNTRUSTED: Print = [0, 0, 0, 0];

/** The first listing of a process writes the index for the next one if it had to read one file in so many. */
const WORTH_WRITING = 128;

export class FolderIndex<S> {
  #files: KnownFiles<S> | undefined;
  #items: readonly S[] = [];

  constructor(private readonly options: FolderIndexOptions<S>) {}

  list(): Listing<S> {
    const { fs, folder, isMember, compare, summarise } = this.options;
    const isFirst = this.#files === undefined;
    const before = this.#files ?? this.#load();
    const files: KnownFiles<S> = { names: [], prints: [], summaries: [] };
    const damaged: AgentXError[] = [];
    const placeOf = placesOf(before.names);
    let filesRead = 0;
    for (const name of namesIn(fs, folder)) {
      const place = placeOf(name);
      if (place === undefined && !isMember(name)) continue;
      const path = `${folder}/${name}`;
      try {
        const stat = statIfThere(fs, path);
        if (stat === undefined) continue;
        const isAsBefore = place !== undefined && hasPrintAt(place, before.prints, stat);
        const isTrusted = isAsBefore || isSettled(stat);
        if (!isAsBefore) filesRead++;
        const summary = isAsBefore ? before.summaries[place] : summarise(name);
        if (summary === undefined) continue;
        files.names.push(name);
        files.prints.push(...(isTrusted ? printOf(stat) : UNTRUSTED));
        files.summaries.push(summary);
      } catch (error) {
        // Examining files takes no permission but the folder's: without it, none of them can be examined.
        if (errorCode(error) === 'EACCES') throw asStoreError('read', folder, error);
        damaged.push(asStoreError('read', path, error));
      }
    }
    this.#files = files;
    if (isFirst || filesRead > 0 || files.names.length !== before.names.length) {
      this.#items = files.summaries.filter((summary) => summary !== null).sort(compare);
    }
    if (isFirst && filesRead > files.names.length / WORTH_WRITING) this.#save(files);
    return { items: this.#items, damaged };
  }

  #load(): KnownFiles<S> {
    const { fs, indexFile, version } = this.options;
    try {
      const savedIndex: SavedIndex<S> = JSON.parse(readIfThere(fs, indexFile)?.toString('utf8') ?? 'null');
      const { names, prints, summaries } = savedIndex;
      const isWhole = summaries.length === names.length && prints.length === names.length * UNTRUSTED.length;
      if (savedIndex.version === version && isWhole) return savedIndex;
    } catch {
      // Damaged or missing: it is derived, so it is simply made anew.
    }
    return { names: [], prints: [], summaries: [] };
  }

  /** A full or read-only disk must not prevent reading: then the next process reads the files itself. */
  #save(files: KnownFiles<S>): void {
    const { fs, indexFile, version } = this.options;
    const savedIndex: SavedIndex<S> = { version, ...files };
    try {
      makeInside(fs, join(dirname(indexFile), '../..'), dirname(indexFile));
      sweepLitter(fs, dirname(indexFile));
      writeWhole(fs, indexFile, JSON.stringify(savedIndex), 0o600);
    } catch {
      // It stays as it was.
    }
  }
}

function hasPrintAt(place: number, prints: readonly number[], { ino, size, mtimeMs, ctimeMs }: Stats): boolean {
  const at = place * UNTRUSTED.length;
  return prints[at] === ino && prints[at + 1] === size && prints[at + 2] === mtimeMs && prints[at + 3] === ctimeMs;
}

/** Where each name stands. A folder tells its names in the same order each time, so that it is mostly the next one. */
function placesOf(names: readonly string[]): (name: string) => number | undefined {
  let next = 0;
  let places: ReadonlyMap<string, number> | undefined;
  return (name) => {
    if (names[next] === name) return next++;
    places ??= new Map(names.map((knownName, place) => [knownName, place]));
    const place = places.get(name);
    if (place !== undefined) next = place + 1;
    return place;
  };
}

export function namesIn(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw asStoreError('read', folder, error);
  }
}
