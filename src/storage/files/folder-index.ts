/*
 * What a listing needs to know about each file of a folder, without opening them all.
 *
 * The index is derived: it may be missing, old or damaged at any time and is then made anew. A listing compares every
 * file's size, times and inode with what they were when the file was last read, and reads those that differ. A file
 * that changed in the last moments before it was read is not remembered: the clock of a file system moves in steps, and
 * a second change within the same step would not show.
 */
import { dirname } from 'node:path';
import { AgentXError } from '../../protocol/errors.js';
import { CLOCK_STEP_MS, errorCode, type FileSystem, readIfThere } from './file-system.js';
import { decodeIndex, encodeIndex, type Print, type Row, type SummaryFormat } from './index-file.js';
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
  /** The order in which they are shown. */
  readonly compare: (left: S, right: S) => number;
  readonly format?: SummaryFormat<S>;
}

export interface FolderListing<S> {
  /** The same list object as long as nothing changes, so that callers can cache what they derive from it. */
  readonly summaries: readonly S[];
  readonly damaged: readonly AgentXError[];
}

/** While a process goes on, the index is written anew when it is wrong about so many files and one in so many. */
const WORTH_WRITING = { files: 64, share: 1 / 32 };
/** A command that has just started writes it for one changed file in so many: the next one starts with it. */
const WORTH_LEAVING = { files: 0, share: 1 / 128 };

export class FolderIndex<S> {
  #rows = new Map<string, Row<S>>();
  #shown: readonly S[] = [];
  /** The names of the files that the index on the disk is wrong about. */
  readonly #changed = new Set<string>();
  #isLoaded = false;
  #hasLooked = false;
  readonly #format: SummaryFormat<S>;

  constructor(private readonly options: FolderIndexOptions<S>) {
    this.#format = options.format ?? { encode: JSON.stringify, decode: (bytes) => JSON.parse(bytes.toString('utf8')) };
  }

  list(): FolderListing<S> {
    const { fs, folder, isMember } = this.options;
    try {
      if (!this.#isLoaded) this.#load();
      const names = namesIn(fs, folder).filter((name) => this.#rows.has(name) || isMember(name));
      const damaged = this.#lookAtEach(names);
      this.#leave();
      this.#hasLooked = true;
      return { summaries: this.#shown, damaged };
    } catch (error) {
      throw asStoreError('read', folder, error);
    }
  }

  #lookAtEach(names: readonly string[]): readonly AgentXError[] {
    const delta = new Delta<S>();
    const damaged: AgentXError[] = [];
    try {
      for (const name of names) {
        try {
          this.#lookAt(name, delta);
        } catch (error) {
          if (!(error instanceof AgentXError)) throw error;
          this.#set(name, undefined, delta);
          damaged.push(error);
        }
      }
      this.#dropAllBut(names, delta);
    } finally {
      this.#show(delta);
    }
    return damaged;
  }

  #lookAt(name: string, delta: Delta<S>): void {
    const { summarise } = this.options;
    const now = Date.now();
    const stat = this.#stat(name);
    const row = this.#rows.get(name);
    if (stat !== undefined && row !== undefined && isSame(row.print, stat)) return;
    const summary = stat && summarise(name);
    const isGone = stat === undefined || summary === undefined;
    this.#set(name, isGone ? undefined : { print: settledPrint(stat, now), summary }, delta);
  }

  #stat(name: string) {
    const { fs, folder } = this.options;
    const path = `${folder}/${name}`;
    try {
      return fs.statSync(path, IF_THERE);
    } catch (error) {
      // Examining files takes no permission but the folder's: without it, none of them can be examined.
      throw errorCode(error) === 'EACCES' ? error : asStoreError('read', path, error);
    }
  }

  #dropAllBut(names: readonly string[], delta: Delta<S>): void {
    const rows = this.#rows;
    if (names.reduce((count, name) => (rows.has(name) ? count + 1 : count), 0) === rows.size) return;
    const present = new Set(names);
    for (const name of [...rows.keys()]) if (!present.has(name)) this.#set(name, undefined, delta);
  }

  #set(name: string, row: Row<S> | undefined, { gone, come }: Delta<S>): void {
    const rows = this.#rows;
    const before = rows.get(name);
    if (before === undefined && row === undefined) return;
    if (before && before.summary !== null) gone.add(before.summary);
    if (row && row.summary !== null) come.push(row.summary);
    if (row) rows.set(name, row);
    else rows.delete(name);
    this.#changed.add(name);
  }

  #show({ gone, come }: Delta<S>): void {
    if (gone.size === 0 && come.length === 0) return;
    const remaining = gone.size === 0 ? this.#shown : this.#shown.filter((summary) => !gone.has(summary));
    this.#shown = [...remaining, ...come].sort(this.options.compare);
  }

  #load(): void {
    const { fs, indexFile, version } = this.options;
    this.#isLoaded = true;
    try {
      const bytes = readIfThere(fs, indexFile);
      const saved = bytes && decodeIndex(bytes, { version, format: this.#format });
      if (saved === undefined) return;
      this.#rows = saved.rows;
      this.#shown = saved.shown;
    } catch {
      // Damaged: it is derived, so it is simply made anew.
    }
  }

  /** Writes what this process knows, for the next one. A full or read-only disk must not prevent reading. */
  #leave(): void {
    const { files, share } = this.#hasLooked ? WORTH_WRITING : WORTH_LEAVING;
    const isSettled = (name: string) => !Number.isNaN(this.#rows.get(name)?.print.ino ?? Number.NaN);
    const count = [...this.#changed].filter(isSettled).length;
    if (count <= Math.max(files, this.#rows.size * share)) return;
    try {
      this.#save();
    } catch {
      // The next one reads the files itself.
    }
  }

  #save(): void {
    const { fs, indexFile, version } = this.options;
    const text = encodeIndex({ version, format: this.#format }, this.#rows, this.#shown);
    fs.mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
    sweepLitter(fs, dirname(indexFile));
    writeWhole(fs, indexFile, text, 0o600);
    this.#changed.clear();
  }
}

/** The difference after a look: summaries that are not shown any more, and those that are now. */
class Delta<S> {
  readonly gone = new Set<S>();
  readonly come: S[] = [];
}

export function namesIn(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw asStoreError('read', folder, error);
  }
}

/** Equal to nothing, so that the file is read again. */
const UNSETTLED: Print = { ino: Number.NaN, size: Number.NaN, mtimeMs: Number.NaN, ctimeMs: Number.NaN };

const IF_THERE = { throwIfNoEntry: false } as const;

function settledPrint({ ino, size, mtimeMs, ctimeMs }: Print, now: number): Print {
  return Math.max(mtimeMs, ctimeMs) < now - CLOCK_STEP_MS ? { ino, size, mtimeMs, ctimeMs } : UNSETTLED;
}

function isSame(left: Print, right: Print): boolean {
  return (
    left.ino === right.ino &&
    left.size === right.size &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs
  );
}
