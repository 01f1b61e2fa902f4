/*
 * The index of the memory: derived, kept in two files, and never trusted.
 *
 * `memory/manifest.json` says which files were read and how they looked then; the search file below `state/index` holds
 * the rest. Both are loaded as they lie. Then every file of the memory is compared with what the manifest says of it,
 * and those that differ are read again. So a write of another process costs the reading of what it wrote. If one of the
 * two is missing or damaged, all files are read.
 *
 * A process that goes on looks again when a folder has changed: every writer of ours replaces files, and that changes
 * their folder. Other programs may write in place, so every file is looked at once in thirty seconds all the same.
 *
 * Each search file has a name of its own, in the manifest: two processes that save at the same time cannot mix theirs.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { MemoryNotice, RebuildResult } from '../../ports/observations.js';
import { AgentXError, messageOf } from '../../protocol/errors.js';
import type { ObservationFile } from '../../protocol/observation.js';
import { buildSegments, type GroupContent } from '../../search/build-segment.js';
import type { Shelf } from '../../search/observation-store.js';
import { SearchIndex } from '../../search/search-index.js';
import { decodeIndex, encodeIndex, parseManifest } from '../../search/stored-index.js';
import { CLOCK_STEP_MS, makeInside, readIfThere, unlinkIfThere } from './file-system.js';
import type { FilesContext } from './files-context.js';
import { namesIn } from './folder-index.js';
import type { JsonFolder } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';
import { sweepLitter } from './litter.js';
import { writeWhole } from './write-whole.js';

export const MANIFEST_CACHE_TTL_MS = 30_000;

export interface MemoryIndexOptions {
  readonly context: FilesContext;
  readonly layout: Layout;
  readonly shelves: Readonly<Record<Shelf, JsonFolder<number, ObservationFile>>>;
  readonly onNotice: (notice: MemoryNotice) => void;
}

interface FoundFile {
  readonly key: string;
  readonly shelf: Shelf;
  readonly issueNumber: number;
  readonly path: string;
}

/** Saved when one observation in so many has changed: a process that has just started, and one that goes on. */
const FIRST_SHARE = 1 / 64;
const LATER_SHARE = 1 / 16;
const LATER_FEWEST = 256;
/** Loading and saving the index of so small a manifest takes no longer than the write that it follows. */
const SMALL_MANIFEST_BYTES = 128 * 1024;
const OLD_SEARCH_FILE_MS = 60_000;

export class MemoryIndex {
  #index: SearchIndex | undefined;
  #folders = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Observations that the files on the disk do not know yet. */
  #unsaved = 0;
  #hasSaved = false;
  /** By key: the damage, and the look of the file that has it. */
  readonly #damaged = new Map<string, { readonly print: string; readonly error: AgentXError }>();

  constructor(private readonly options: MemoryIndexOptions) {}

  upToDate(): { readonly index: SearchIndex; readonly damaged: readonly AgentXError[] } {
    const folders = this.#foldersNow();
    const isFresh = performance.now() - this.#lookedAt < MANIFEST_CACHE_TTL_MS;
    let index = this.#index;
    if (!(index !== undefined && isFresh && folders === this.#folders && folders !== '')) {
      const files = this.#files();
      index ??= this.#load(files);
      this.#look(index, files);
      this.#folders = folders;
      this.#lookedAt = performance.now();
      this.#leave(index);
    }
    return { index, damaged: [...this.#damaged.values()].map(({ error }) => error) };
  }

  /** A file was written by this process: a small index is brought up to date, any other when it is next asked for. */
  noteWrite(): void {
    try {
      if (this.#isSmall()) this.upToDate();
    } catch {
      // It is derived: the next look finds what is missing.
    }
  }

  rebuild(cause = 'asked for', onNotice = this.options.onNotice): RebuildResult {
    const started = performance.now();
    this.#damaged.clear();
    const files = this.#files();
    const index = new SearchIndex(buildSegments(this.#contents(files)));
    this.#index = index;
    this.#folders = '';
    this.#save(index);
    const durationMs = performance.now() - started;
    onNotice({ kind: 'rebuilt', cause, durationMs, observations: index.count });
    const issues = new Set(files.map(({ issueNumber }) => issueNumber)).size;
    return { observations: index.count, issues, durationMs };
  }

  bytes(): number {
    const { context, layout } = this.options;
    return this.#searchFiles()
      .map((name) => context.fs.statSync(join(layout.index, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
  }

  #load(files: readonly FoundFile[]): SearchIndex {
    const { context, layout } = this.options;
    for (let look = 1; ; look++) {
      try {
        const manifest = readIfThere(context.fs, layout.manifestFile);
        if (manifest === undefined) return this.#first(files, files.length > 1);
        const storedManifest = parseManifest(manifest);
        if (storedManifest.version === 1) return this.#first(files, true);
        const search = readIfThere(context.fs, join(layout.index, searchFileOf(storedManifest.search)));
        // Another process may have replaced both between the two reads.
        if (search === undefined && look === 1) continue;
        if (search === undefined) throw new Error('its search index is missing');
        this.#index = new SearchIndex(decodeIndex(storedManifest, search));
        this.#hasSaved = false;
        return this.#index;
      } catch (error) {
        this.rebuild(messageOf(error));
        return this.#index ?? new SearchIndex();
      }
    }
  }

  /** Without a manifest, or with one of the first version, everything is read once. A new store has nothing to tell. */
  #first(files: readonly FoundFile[], isToldOf: boolean): SearchIndex {
    const onNotice = isToldOf ? this.options.onNotice : () => {};
    if (files.length > 0) this.rebuild('there was no manifest of this version', onNotice);
    this.#index ??= new SearchIndex();
    return this.#index;
  }

  #look(index: SearchIndex, files: readonly FoundFile[]): void {
    const presentKeys = new Set(files.map(({ key }) => key));
    for (const key of index.keys()) {
      if (presentKeys.has(key)) continue;
      this.#unsaved += index.group(key)?.count ?? 0;
      index.remove(key);
    }
    for (const key of this.#damaged.keys()) if (!presentKeys.has(key)) this.#damaged.delete(key);
    this.#read(
      index,
      files.filter((file) => this.#hasChanged(index, file)),
    );
  }

  #hasChanged(index: SearchIndex, { key, path }: FoundFile): boolean {
    const print = this.#printOf(path);
    const damagedFile = this.#damaged.get(key);
    if (damagedFile !== undefined) return damagedFile.print !== String(print);
    const indexedPrint = index.group(key)?.print;
    return (
      indexedPrint === undefined ||
      indexedPrint.length === 0 ||
      indexedPrint.some((value, place) => value !== print[place])
    );
  }

  #read(index: SearchIndex, files: readonly FoundFile[]): void {
    if (files.length === 0) return;
    for (const { key } of files) index.remove(key);
    const contents = [...this.#contents(files)];
    index.replace(contents);
    this.#unsaved += contents.reduce((sum, { observations }) => sum + observations.length + 1, 0);
  }

  *#contents(files: readonly FoundFile[]): Generator<GroupContent> {
    for (const { key, shelf, issueNumber, path } of files) {
      const before = this.#printOf(path);
      try {
        const file = this.options.shelves[shelf].readOnce(issueNumber);
        this.#damaged.delete(key);
        if (file === undefined) continue;
        const print = isDatedBack(before) ? before : [];
        yield { key, issueNumber, isArchived: shelf === 'archive', print, observations: file.observations };
      } catch (error) {
        if (!(error instanceof AgentXError)) throw error;
        this.#damaged.set(key, { print: String(before), error });
        this.options.onNotice({ kind: 'skipped', error });
      }
    }
  }

  #files(): readonly FoundFile[] {
    const { context, layout } = this.options;
    const filesIn = (shelf: Shelf, folder: string) =>
      namesIn(context.fs, folder).flatMap((name) => {
        const issueNumber = issueFileNames.keyOf(name);
        return issueNumber === undefined ? [] : [this.#fileOf(shelf, issueNumber)];
      });
    return [...filesIn('live', layout.memory), ...filesIn('archive', layout.memoryArchive)];
  }

  #fileOf(shelf: Shelf, issueNumber: number): FoundFile {
    const { layout } = this.options;
    const name = issueFileNames.nameOf(issueNumber);
    if (shelf === 'live') return { key: name, shelf, issueNumber, path: `${layout.memory}/${name}` };
    return { key: `archive/${name}`, shelf, issueNumber, path: `${layout.memoryArchive}/${name}` };
  }

  #printOf(path: string): readonly number[] {
    const stat = this.options.context.fs.statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? [] : [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs];
  }

  /** Empty while they may still change without showing it: the clock of a file system moves in steps. */
  #foldersNow(): string {
    const { memory, memoryArchive } = this.options.layout;
    const prints = [this.#printOf(memory), this.#printOf(memoryArchive)];
    return prints.every((print) => print.length === 0 || isSettled(print)) ? prints.join(' ') : '';
  }

  #isSmall(): boolean {
    const { context, layout } = this.options;
    const stat = context.fs.statSync(layout.manifestFile, { throwIfNoEntry: false });
    return stat === undefined ? this.#files().length <= 1 : stat.size <= SMALL_MANIFEST_BYTES;
  }

  /** Saves what this process knows, for the next one, if that is worth it. */
  #leave(index: SearchIndex): void {
    const share = this.#hasSaved ? Math.max(LATER_FEWEST, index.count * LATER_SHARE) : index.count * FIRST_SHARE;
    if (this.#unsaved > share) this.#save(index);
  }

  /** A full or read-only disk must not prevent reading. */
  #save(index: SearchIndex): void {
    const { context, layout } = this.options;
    try {
      const { manifest, search } = encodeIndex(index.compacted(), new Date().toISOString());
      makeInside(context.fs, layout.root, layout.index);
      writeWhole(context.fs, join(layout.index, searchFileOf(crc32(search))), search, 0o600);
      writeWhole(context.fs, layout.manifestFile, manifest, 0o600);
      this.#unsaved = 0;
      this.#hasSaved = true;
      this.#sweep(searchFileOf(crc32(search)));
    } catch {
      // The next process reads the files itself.
    }
  }

  /** A process that has read the manifest before may be about to load an older one. */
  #sweep(current: string): void {
    const { context, layout } = this.options;
    // What a killed process had half written.
    sweepLitter(context.fs, layout.index);
    for (const name of this.#searchFiles()) {
      const path = join(layout.index, name);
      const mtimeMs = context.fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (name !== current && mtimeMs < Date.now() - OLD_SEARCH_FILE_MS) unlinkIfThere(context.fs, path);
    }
  }

  #searchFiles(): readonly string[] {
    const { context, layout } = this.options;
    return namesIn(context.fs, layout.index).filter((name) => /^memory-[0-9a-f]{8}\.bin$/.test(name));
  }
}

function searchFileOf(checksum: unknown): string {
  return `memory-${Number(checksum).toString(16).padStart(8, '0')}.bin`;
}

/** Writers of ours date a file back (json-file.ts), so that whatever is written in place from then on is dated later. */
function isDatedBack([, , mtimeMs = 0]: readonly number[]): boolean {
  return mtimeMs < Date.now() - CLOCK_STEP_MS / 2;
}

function isSettled([, , mtimeMs = 0, ctimeMs = 0]: readonly number[]): boolean {
  return Math.max(mtimeMs, ctimeMs) < Date.now() - CLOCK_STEP_MS;
}
