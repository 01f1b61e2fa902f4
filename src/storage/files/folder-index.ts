/*
 * What a listing needs to know about each file of a folder, without opening them all.
 *
 * The index is derived: it may be missing, old or damaged at any time and is then made anew. It is never believed
 * without looking: each listing compares every file's size, times and inode with what they were when the file was last
 * read, and reads those that differ, so that a change made in place by another program is seen at once. A file that
 * changed in the last moments before it was read is not remembered: the clock of a file system moves in steps, and a
 * second change within the same step would look like none.
 */
import { dirname } from 'node:path';
import { AgentXError } from '../../protocol/errors.js';
import { CLOCK_STEP_MS, errorCode, type FileSystem, readIfThere } from './file-system.js';
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
}

export interface FolderListing<S> {
  readonly summaries: readonly S[];
  readonly damaged: readonly AgentXError[];
}

/** One row for each file: its name, its print of four numbers, and its summary. */
interface Rows<S> {
  /** What a listing shows, once somebody asked. */
  shown?: readonly S[];
  readonly names: string[];
  readonly prints: Float64Array;
  readonly summaries: (S | null)[];
}

const COLUMNS = 4;
/** While a process goes on, the index is written anew when so many files have changed. */
const WORTH_WRITING = 64;
/** A command that has just started writes it for one changed file in so many: the next one starts with it. */
const WORTH_LEAVING = 128;

export class FolderIndex<S> {
  #rows: Rows<S> | undefined;

  constructor(private readonly options: FolderIndexOptions<S>) {}

  list(): FolderListing<S> {
    const { fs, folder } = this.options;
    const startedAt = Date.now();
    const isFirst = this.#rows === undefined;
    const before = this.#rows ?? this.#load() ?? emptyRows(0);
    const all = namesIn(fs, folder);
    const same = countSame(fs, folder, before, all);
    if (same === all.length && same === before.names.length) {
      this.#rows = before;
      return { summaries: shownIn(before), damaged: [] };
    }
    const now = firstRows(before, same, all.length);
    const damaged: AgentXError[] = [];
    const rowOf = this.#rowFinder(before.names, same);
    let readAnew = 0;
    for (const name of all.slice(same)) {
      const row = rowOf(name);
      if (row === 'foreign') continue;
      const stat = fs.statSync(`${folder}/${name}`, IF_THERE);
      if (!stat) continue;
      if (row !== 'new' && matches(before.prints, row, stat)) {
        addRow(now, name, stat, before.summaries[row] ?? null);
        continue;
      }
      const summary = this.#summarise(name, damaged);
      if (summary === undefined) continue;
      const isSettled = Math.max(stat.mtimeMs, stat.ctimeMs) < startedAt - CLOCK_STEP_MS;
      addRow(now, name, isSettled ? stat : UNSETTLED, summary);
      if (isSettled) readAnew++;
    }
    this.#rows = now;
    if (readAnew >= WORTH_WRITING || (isFirst && readAnew * WORTH_LEAVING > now.names.length)) this.#save(now);
    return { summaries: shownIn(now), damaged };
  }

  #summarise(name: string, damaged: AgentXError[]): S | null | undefined {
    try {
      return this.options.summarise(name);
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      damaged.push(error);
      return undefined;
    }
  }

  /** A folder is mostly listed in the same order as last time; only where it is not, names are looked up. */
  #rowFinder(names: readonly string[], start: number): (name: string) => number | 'new' | 'foreign' {
    let next = start;
    let rows: ReadonlyMap<string, number> | undefined;
    return (name) => {
      if (names[next] === name) return next++;
      if (!this.options.isMember(name)) return 'foreign';
      rows ??= new Map(names.map((known, row) => [known, row]));
      const row = rows.get(name);
      if (row === undefined) return 'new';
      next = row + 1;
      return row;
    };
  }

  #load(): Rows<S> | undefined {
    const { fs, indexFile, version } = this.options;
    try {
      const saved = JSON.parse(readIfThere(fs, indexFile)?.toString('utf8') ?? 'null');
      if (saved?.version !== version) return undefined;
      const names: string[] = saved.names === '' ? [] : saved.names.split('\n');
      const bytes = Buffer.from(saved.prints, 'base64');
      const prints = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      if (prints.length !== names.length * COLUMNS || saved.rows.length !== saved.summaries.length) return undefined;
      const summaries: (S | null)[] = new Array(names.length).fill(null);
      for (const [index, row] of saved.rows.entries()) summaries[row] = saved.summaries[index];
      return summaries.length === names.length ? { names, prints, summaries } : undefined;
    } catch {
      return undefined; // Damaged: it is derived, so it is simply made anew.
    }
  }

  #save({ names, prints, summaries }: Rows<S>): void {
    const { fs, indexFile, version } = this.options;
    const used = Buffer.from(prints.buffer, 0, names.length * COLUMNS * prints.BYTES_PER_ELEMENT);
    const rows = summaries.flatMap((summary, row) => (summary === null ? [] : [row]));
    const text = JSON.stringify({
      version,
      names: names.join('\n'),
      prints: used.toString('base64'),
      rows,
      summaries: rows.map((row) => summaries[row]),
    });
    try {
      fs.mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
      sweepLitter(fs, dirname(indexFile));
      writeWhole(fs, indexFile, text, 0o600);
    } catch {
      // A full or read-only disk must not keep anybody from reading.
    }
  }
}

export function namesIn(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw asStoreError('read', folder, error);
  }
}

interface Print {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Equal to nothing, so that the file is read again. */
const UNSETTLED: Print = { ino: Number.NaN, size: Number.NaN, mtimeMs: Number.NaN, ctimeMs: Number.NaN };

const IF_THERE = { throwIfNoEntry: false } as const;

/** How many rows are, from the first on, as they were: with nothing changed, this is all that a listing does. */
function countSame(fs: FileSystem, folder: string, { names, prints }: Rows<unknown>, all: readonly string[]): number {
  for (let row = 0; row < all.length; row++) {
    if (all[row] !== names[row]) return row;
    const stat = fs.statSync(`${folder}/${all[row]}`, IF_THERE);
    if (!stat || !matches(prints, row, stat)) return row;
  }
  return all.length;
}

/** The same list as long as nothing changes, so that what was made of it can be kept too. */
function shownIn<S>(rows: Rows<S>): readonly S[] {
  rows.shown ??= rows.summaries.filter((summary) => summary !== null);
  return rows.shown;
}

function emptyRows<S>(capacity: number): Rows<S> {
  return { names: [], prints: new Float64Array(capacity * COLUMNS), summaries: [] };
}

function firstRows<S>({ names, prints, summaries }: Rows<S>, count: number, capacity: number): Rows<S> {
  const rows: Rows<S> = {
    names: names.slice(0, count),
    prints: new Float64Array(capacity * COLUMNS),
    summaries: summaries.slice(0, count),
  };
  rows.prints.set(prints.subarray(0, count * COLUMNS));
  return rows;
}

function addRow<S>({ names, prints, summaries }: Rows<S>, name: string, print: Print, summary: S | null): void {
  const at = names.length * COLUMNS;
  prints[at] = print.ino;
  prints[at + 1] = print.size;
  prints[at + 2] = print.mtimeMs;
  prints[at + 3] = print.ctimeMs;
  names.push(name);
  summaries.push(summary);
}

function matches(prints: Float64Array, row: number, stat: Print): boolean {
  const at = row * COLUMNS;
  return (
    prints[at] === stat.ino &&
    prints[at + 1] === stat.size &&
    prints[at + 2] === stat.mtimeMs &&
    prints[at + 3] === stat.ctimeMs
  );
}
