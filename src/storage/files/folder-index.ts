/*
 * What a listing needs to know about each file of a folder, without opening them all.
 *
 * The index is derived: it may be missing, old or damaged at any time and is then made anew. A listing compares every
 * file's size, times and inode with what they were when the file was last read, and reads those that differ. A file
 * that changed in the last moments before it was read is not remembered: the clock of a file system moves in steps, and
 * a second change within the same step would not show.
 */
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { Listing } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { CLOCK_STEP_MS, errorCode, type FileSystem, readIfThere } from './file-system.js';
import { COLUMNS, decodeIndex, encodeIndex, type KnownFiles, type SummaryFormat } from './index-file.js';
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

/** While a process goes on, the index is written anew when it is wrong about so many files and one in so many. */
const WORTH_WRITING = { files: 64, share: 1 / 32 };
/** A command that has just started writes it for one changed file in so many: the next one starts with it. */
const WORTH_LEAVING = { files: 0, share: 1 / 128 };

export class FolderIndex<S> {
  #files: KnownFiles<S> = { names: [], prints: new Float64Array(), summaries: [] };
  #shown: readonly S[] = [];
  /** The names of the files that the index on the disk is wrong about. */
  readonly #unsaved = new Set<string>();
  #isLoaded = false;
  #hasLooked = false;
  readonly #format: SummaryFormat<S>;

  constructor(private readonly options: FolderIndexOptions<S>) {
    this.#format = options.format ?? { encode: JSON.stringify, decode: (bytes) => JSON.parse(bytes.toString('utf8')) };
  }

  /** Its items are the same list object as long as nothing changes, so that callers can cache what they derive from it. */
  list(): Listing<S> {
    const { fs, folder } = this.options;
    try {
      if (!this.#isLoaded) this.#load();
      const damaged = this.#lookAtEach(namesIn(fs, folder));
      this.#leave();
      this.#hasLooked = true;
      return { items: this.#shown, damaged };
    } catch (error) {
      throw asStoreError('read', folder, error);
    }
  }

  #lookAtEach(names: readonly string[]): readonly AgentXError[] {
    const { isMember } = this.options;
    const look = new Look(this.#files, names.length);
    const damaged: AgentXError[] = [];
    for (const name of names) {
      const place = look.placeOf(name);
      if (place === undefined && !isMember(name)) continue;
      try {
        this.#lookAt(name, place, look);
      } catch (error) {
        if (!(error instanceof AgentXError)) throw error;
        damaged.push(error);
      }
    }
    const files = look.files();
    if (files !== this.#files) this.#shown = look.shown(this.#shown, this.options.compare);
    this.#files = files;
    return damaged;
  }

  #lookAt(name: string, place: number | undefined, look: Look<S>): void {
    const stat = this.#stat(name);
    if (stat === undefined || (place !== undefined && look.keeps(place, stat))) return;
    const summary = this.options.summarise(name);
    if (summary !== undefined && look.add(name, stat, summary)) this.#unsaved.add(name);
  }

  #stat(name: string): Stats | undefined {
    const { fs, folder } = this.options;
    const path = `${folder}/${name}`;
    try {
      return fs.statSync(path, IF_THERE);
    } catch (error) {
      // Examining files takes no permission but the folder's: without it, none of them can be examined.
      throw errorCode(error) === 'EACCES' ? error : asStoreError('read', path, error);
    }
  }

  #load(): void {
    const { fs, indexFile, version } = this.options;
    this.#isLoaded = true;
    try {
      const bytes = readIfThere(fs, indexFile);
      const saved = bytes && decodeIndex(bytes, { version, format: this.#format });
      if (saved === undefined) return;
      this.#files = saved.files;
      this.#shown = saved.shown;
    } catch {
      // Damaged: it is derived, so it is simply made anew.
    }
  }

  /** Writes what this process knows, for the next one. A full or read-only disk must not prevent reading. */
  #leave(): void {
    const { files, share } = this.#hasLooked ? WORTH_WRITING : WORTH_LEAVING;
    if (this.#unsaved.size <= Math.max(files, this.#files.names.length * share)) return;
    try {
      this.#save();
    } catch {
      // The next one reads the files itself.
    }
  }

  #save(): void {
    const { fs, indexFile, version } = this.options;
    const text = encodeIndex({ version, format: this.#format }, { files: this.#files, shown: this.#shown });
    fs.mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
    sweepLitter(fs, dirname(indexFile));
    writeWhole(fs, indexFile, text, 0o600);
    this.#unsaved.clear();
  }
}

/** One look at all files of a folder, compared with the look before. */
class Look<S> {
  /** A file that changed after this is not remembered: see above. */
  readonly #settledBefore = Date.now() - CLOCK_STEP_MS;
  /** Where each file is: its place in the table before, or counted from -1 downwards, among those that were read. */
  readonly #from: Int32Array;
  readonly #read: ReadFile<S>[] = [];
  #count = 0;
  #expected = 0;
  #places: ReadonlyMap<string, number> | undefined;

  constructor(
    private readonly before: KnownFiles<S>,
    size: number,
  ) {
    this.#from = new Int32Array(size);
  }

  /** Where the file stood before. Names come in the same order each time, so that it is mostly the next one. */
  placeOf(name: string): number | undefined {
    const { names } = this.before;
    if (names[this.#expected] === name) return this.#expected++;
    this.#places ??= new Map(names.map((known, place) => [known, place]));
    const place = this.#places.get(name);
    if (place !== undefined) this.#expected = place + 1;
    return place;
  }

  /** Takes it over if it is what it was. */
  keeps(place: number, stat: Stats): boolean {
    const { prints } = this.before;
    const at = place * COLUMNS;
    const isSame =
      prints[at] === stat.ino &&
      prints[at + 1] === stat.size &&
      prints[at + 2] === stat.mtimeMs &&
      prints[at + 3] === stat.ctimeMs;
    if (isSame) this.#from[this.#count++] = place;
    return isSame;
  }

  /** Returns whether its print can be trusted from now on. */
  add(name: string, { ino, size, mtimeMs, ctimeMs }: Stats, summary: S | null): boolean {
    const isSettled = Math.max(mtimeMs, ctimeMs) < this.#settledBefore;
    this.#from[this.#count++] = -this.#read.push({
      name,
      print: isSettled ? [ino, size, mtimeMs, ctimeMs] : UNSETTLED,
      summary,
    });
    return isSettled;
  }

  /** What is known of the files after the look: the same object if nothing has changed. */
  files(): KnownFiles<S> {
    const { before } = this;
    const from = this.#from.subarray(0, this.#count);
    if (this.#read.length === 0 && from.length === before.names.length) return before;
    const names: string[] = [];
    const summaries: (S | null)[] = [];
    const prints = new Float64Array(from.length * COLUMNS);
    for (const [at, place] of from.entries()) {
      const row = this.#read[-1 - place];
      const print = row?.print ?? before.prints.subarray(place * COLUMNS, (place + 1) * COLUMNS);
      names.push(row?.name ?? before.names[place] ?? '');
      summaries.push(row ? row.summary : (before.summaries[place] ?? null));
      prints.set(print, at * COLUMNS);
    }
    return { names, prints, summaries };
  }

  /** Those that were listed before, without what is gone or was read anew, and what was read. */
  shown(listed: readonly S[], compare: (left: S, right: S) => number): readonly S[] {
    const kept = new Set<S | null | undefined>();
    for (const place of this.#from.subarray(0, this.#count)) if (place >= 0) kept.add(this.before.summaries[place]);
    const remaining = listed.filter((summary) => kept.has(summary));
    const read = this.#read.map(({ summary }) => summary).filter((summary) => summary !== null);
    const isSame = read.length === 0 && remaining.length === listed.length;
    return isSame ? listed : [...remaining, ...read].sort(compare);
  }
}

/** A file that is new or was changed. */
interface ReadFile<S> {
  readonly name: string;
  readonly print: readonly number[];
  readonly summary: S | null;
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
const UNSETTLED = new Array<number>(COLUMNS).fill(Number.NaN);

const IF_THERE = { throwIfNoEntry: false } as const;
