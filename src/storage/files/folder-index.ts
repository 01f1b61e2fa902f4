/*
 * What a listing needs to know about each file of a folder, without opening them all.
 *
 * The index is derived: it may be missing, old or damaged at any time and is then made anew. A listing compares every
 * file's size, times and inode with what they were when the file was last read, and reads those that differ. A file that
 * changed in the last moments before it was read is not remembered: the clock of a file system moves in steps, and a
 * second change within the same step would look like none.
 *
 * In a folder of many files even that is spared while the last such look holds (last-look.ts). So a listing of many may
 * be late, by seconds, to show what somebody edited in place without a lock; whoever reads or changes one document looks
 * at its file.
 */
import { dirname } from 'node:path';
import { AgentXError } from '../../protocol/errors.js';
import type { ChangeLog } from './change-log.js';
import { CLOCK_STEP_MS, errorCode, type FileSystem, readIfThere } from './file-system.js';
import { decodeIndex, encodeIndex, type Print, type Row, type SavedIndex, type SummaryFormat } from './index-file.js';
import { LastLook } from './last-look.js';
import { sweepLitter } from './litter.js';
import { makeToken } from './lock-names.js';
import { asStoreError } from './store-error.js';
import { writeWhole } from './write-whole.js';

export interface FolderIndexOptions<S> {
  readonly fs: FileSystem;
  readonly folder: string;
  /** Where the index is kept between commands. */
  readonly indexFile: string;
  /** Which files of the folder our processes have changed. */
  readonly changes: ChangeLog;
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
  /** How old a look is; the system's clock where it is not given. */
  readonly now?: () => number;
}

export interface FolderListing<S> {
  /** The same list as long as nothing changes, so that what was made of it can be kept too. */
  readonly summaries: readonly S[];
  readonly damaged: readonly AgentXError[];
}

export interface ListOptions {
  /** Trusts the last look in a folder of few files too, and in one of many for longer. */
  readonly isQuick?: boolean;
}

/** Where there are fewer, looking at all of them is cheap. */
const MANY = 512;
/** While a process goes on, the index is written anew when it is wrong about so many files and one in so many. */
const WORTH_WRITING = { files: 64, share: 1 / 32 };
/** A command that has just started writes it for one changed file in so many: the next one starts with it. */
const WORTH_LEAVING = { files: 0, share: 1 / 128 };

export class FolderIndex<S> {
  #rows: Map<string, Row<S>> | undefined;
  #shown: readonly S[] = [];
  /** What the file of the index said; its rows are made when somebody needs them. */
  #saved: SavedIndex<S> | undefined;
  /** The index file that this process has read or written, and the names of those that it is wrong about. */
  #file: { readonly token: string; readonly ino: number } | undefined;
  readonly #changed = new Set<string>();
  #isLoaded = false;
  #hasLooked = false;
  readonly #lastLook: LastLook;
  readonly #format: SummaryFormat<S>;

  constructor(private readonly options: FolderIndexOptions<S>) {
    const { fs, folder, changes, indexFile, format, now } = options;
    this.#lastLook = new LastLook({ fs, folder, changes, now, file: indexFile.replace(/\.json$/, '.look') });
    this.#format = format ?? { encode: JSON.stringify, decode: (bytes) => JSON.parse(bytes.toString('utf8')) };
  }

  list(how: ListOptions = {}): FolderListing<S> {
    try {
      return this.#list(how);
    } catch (error) {
      throw asStoreError('read', this.options.folder, error);
    }
  }

  #list({ isQuick = false }: ListOptions): FolderListing<S> {
    if (!this.#isLoaded) this.#load();
    const size = this.#rows?.size ?? this.#saved?.names.length ?? 0;
    const names = isQuick || size >= MANY ? this.#lastLook.changed({ isQuick }) : undefined;
    if (names !== undefined && this.#lookAtSome(names)) return { summaries: this.#shown, damaged: [] };
    return this.#lookAtAll();
  }

  /** False if something is wrong with one of them, which a look at all reports. */
  #lookAtSome(names: readonly string[]): boolean {
    const delta = new Delta<S>();
    try {
      for (const name of names) if (this.options.isMember(name)) this.#lookAt(name, delta);
    } catch {
      return false;
    } finally {
      this.#show(delta);
    }
    return true;
  }

  #lookAtAll(): FolderListing<S> {
    const { fs, folder, isMember, changes } = this.options;
    const look = this.#lastLook.begin();
    const names = namesIn(fs, folder);
    const rows = this.#allRows();
    const damaged = this.#lookAtEach(names.filter((name) => rows.has(name) || isMember(name)));
    this.#lastLook.remember(damaged.length === 0 ? look : undefined);
    if (look === undefined && rows.size >= MANY) changes.begin();
    this.#leave(rows);
    this.#hasLooked = true;
    return { summaries: this.#shown, damaged };
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
    const known = this.#allRows().get(name);
    if (stat !== undefined && known !== undefined && isSame(known.print, stat)) return;
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
      // Looking takes no permission but the folder's: without it, none of its files can be looked at.
      throw errorCode(error) === 'EACCES' ? error : asStoreError('read', path, error);
    }
  }

  #dropAllBut(names: readonly string[], delta: Delta<S>): void {
    const rows = this.#allRows();
    if (names.reduce((count, name) => (rows.has(name) ? count + 1 : count), 0) === rows.size) return;
    const present = new Set(names);
    for (const name of [...rows.keys()]) if (!present.has(name)) this.#set(name, undefined, delta);
  }

  #set(name: string, row: Row<S> | undefined, { gone, come }: Delta<S>): void {
    const rows = this.#allRows();
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
    const kept = gone.size === 0 ? this.#shown : this.#shown.filter((summary) => !gone.has(summary));
    this.#shown = [...kept, ...come].sort(this.options.compare);
  }

  #allRows(): Map<string, Row<S>> {
    this.#rows ??= this.#saved?.rows() ?? new Map<string, Row<S>>();
    return this.#rows;
  }

  #load(): void {
    const { fs, indexFile, version } = this.options;
    this.#isLoaded = true;
    try {
      const bytes = readIfThere(fs, indexFile);
      this.#saved = bytes && decodeIndex(bytes, { version, format: this.#format });
    } catch {
      // Damaged: it is derived, so it is simply made anew.
    }
    if (this.#saved === undefined) return;
    this.#shown = this.#saved.shown;
    this.#file = { token: this.#saved.token, ino: this.#indexIno() };
    const wrong = this.#lastLook.find(this.#saved.token);
    if (wrong !== undefined && !this.#lookAtSome(wrong)) this.#lastLook.remember(undefined);
  }

  /** What this process knows, for the next one. A full or read-only disk must not keep anybody from reading. */
  #leave(rows: ReadonlyMap<string, Row<S>>): void {
    const { files, share } = this.#hasLooked ? WORTH_WRITING : WORTH_LEAVING;
    const isSettled = (name: string) => !Number.isNaN(rows.get(name)?.print.ino ?? Number.NaN);
    const count = [...this.#changed].filter(isSettled).length;
    try {
      if (count > Math.max(files, rows.size * share)) this.#save(rows);
      // Another process may have written another index meanwhile; its looks are worth more.
      const file = rows.size >= MANY ? this.#file : undefined;
      if (file !== undefined && file.ino === this.#indexIno()) this.#lastLook.leave(file.token, this.#changed);
    } catch {
      // The next one looks for itself.
    }
  }

  #save(rows: ReadonlyMap<string, Row<S>>): void {
    const { fs, indexFile, version } = this.options;
    const token = makeToken();
    const text = encodeIndex({ version, token, format: this.#format }, rows, this.#shown);
    fs.mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
    sweepLitter(fs, dirname(indexFile));
    writeWhole(fs, indexFile, text, 0o600);
    this.#file = { token, ino: this.#indexIno() };
    this.#changed.clear();
  }

  #indexIno(): number {
    return this.options.fs.statSync(this.options.indexFile, IF_THERE)?.ino ?? Number.NaN;
  }
}

/** What a look found: summaries that are not shown any more, and those that are now. */
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
