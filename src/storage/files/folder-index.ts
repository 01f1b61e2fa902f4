/*
 * What is worth knowing about each file of a folder, without opening them all.
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
  /** Reads the file of that name; undefined if it is gone; throws CORRUPT_FILE if it is damaged. */
  readonly summarise: (name: string) => S | undefined;
}

export interface FolderListing<S> {
  readonly entries: readonly { readonly name: string; readonly summary: S }[];
  readonly damaged: readonly AgentXError[];
}

interface Remembered<S> {
  readonly names: readonly string[];
  readonly prints: Float64Array;
  readonly summaries: readonly S[];
}

const COLUMNS = 4;
/** Below this many files it is cheaper to read them again than to write the index anew. */
const WORTH_WRITING = 64;

export class FolderIndex<S> {
  #remembered: Remembered<S> | undefined;

  constructor(private readonly options: FolderIndexOptions<S>) {}

  names(): string[] {
    const { fs, folder, isMember } = this.options;
    try {
      return fs.readdirSync(folder).filter(isMember);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw asStoreError('read', folder, error);
    }
  }

  list(): FolderListing<S> {
    const { fs, folder, summarise } = this.options;
    const startedAt = Date.now();
    const names = this.names();
    const before = this.#remember();
    const rowOf = rowFinder(before.names, names);
    const prints = new Float64Array(names.length * COLUMNS);
    const entries: { name: string; summary: S }[] = [];
    const damaged: AgentXError[] = [];
    let readAnew = 0;
    for (const [index, name] of names.entries()) {
      const stat = fs.statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      if (!stat) continue;
      const row = rowOf(index, name);
      const known = row === undefined ? undefined : before.summaries[row];
      if (row !== undefined && known !== undefined && matches(before.prints, row, stat)) {
        entries.push({ name, summary: known });
      } else {
        try {
          const summary = summarise(name);
          if (summary === undefined) continue;
          entries.push({ name, summary });
          if (isSettled(stat, startedAt)) readAnew++;
        } catch (error) {
          if (!(error instanceof AgentXError)) throw error;
          damaged.push(error);
          continue;
        }
      }
      setPrint(prints, entries.length - 1, isSettled(stat, startedAt) ? stat : undefined);
    }
    const now = { names: entries.map(({ name }) => name), prints, summaries: entries.map(({ summary }) => summary) };
    this.#remembered = now;
    if (readAnew >= WORTH_WRITING) this.#save(now);
    return { entries, damaged };
  }

  #remember(): Remembered<S> {
    this.#remembered ??= this.#load() ?? { names: [], prints: new Float64Array(), summaries: [] };
    return this.#remembered;
  }

  #load(): Remembered<S> | undefined {
    const { fs, indexFile, version } = this.options;
    try {
      const saved = JSON.parse(readIfThere(fs, indexFile)?.toString('utf8') ?? 'null');
      if (saved?.version !== version) return undefined;
      const names: string[] = saved.names === '' ? [] : saved.names.split('\n');
      const bytes = Buffer.from(saved.prints, 'base64');
      const prints = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      const isWhole = prints.length === names.length * COLUMNS && saved.summaries.length === names.length;
      return isWhole ? { names, prints, summaries: saved.summaries } : undefined;
    } catch {
      return undefined; // Damaged: it is derived, so it is simply made anew.
    }
  }

  #save({ names, prints, summaries }: Remembered<S>): void {
    const { fs, indexFile, version } = this.options;
    const used = Buffer.from(prints.buffer, 0, names.length * COLUMNS * prints.BYTES_PER_ELEMENT);
    const text = JSON.stringify({ version, names: names.join('\n'), prints: used.toString('base64'), summaries });
    try {
      fs.mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
      writeWhole(fs, indexFile, text, 0o600);
    } catch {
      // A full or read-only disk must not keep anybody from reading.
    }
  }
}

/** A folder is mostly listed in the same order as last time; only where it is not, names are looked up. */
function rowFinder(
  before: readonly string[],
  now: readonly string[],
): (index: number, name: string) => number | undefined {
  if (before.length === now.length && before.every((name, index) => name === now[index])) return (index) => index;
  const rows = new Map(before.map((name, row) => [name, row]));
  return (_, name) => rows.get(name);
}

interface Print {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

function setPrint(prints: Float64Array, row: number, stat: Print | undefined): void {
  const print = stat ? [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs] : new Array(COLUMNS).fill(Number.NaN);
  prints.set(print, row * COLUMNS);
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

const isSettled = (stat: Print, startedAt: number): boolean =>
  Math.max(stat.mtimeMs, stat.ctimeMs) < startedAt - CLOCK_STEP_MS;
