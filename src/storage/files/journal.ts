/*
 * Makes many updates durable at little cost: one sync of an existing file, instead of one of a new file and one of its
 * folder. Only a process that writes all the time has a journal; everything works without.
 *
 *   lock -> scratch file -> record of it to the journal, fdatasync -> is the lock still mine? -> rename -> acknowledge
 *   -> release
 *
 * What must hold:
 *   - A document that was renamed into place is durable by itself or in a journal that is still there. So a power cut
 *     may leave a name without its content, and the journal puts it back (journal-recovery.ts).
 *   - A document's modification time grows with each update, in any process: it tells which of two is later. A file
 *     system that keeps a new name keeps what was set on the file before it got the name.
 *   - A record is made void before the caller is told that its update failed.
 *   - A file of the journal is reused or removed when the documents it names were synced in place (a checkpoint). One is
 *     written while the other is checkpointed; when both are full, updates go without.
 *   - A sync that failed is not tried again: the disk may report the same bytes as done without having written them. If
 *     the journal's own sync fails, no record that was written before is acknowledged; if that of a checkpoint fails,
 *     the file stays for the next process that opens the store, and this process does without a journal from then on.
 *   - A process that is idle, or ends, leaves no journal: one on the disk belongs to a process that is busy or died.
 */

import { join, relative, sep } from 'node:path';
import { putAway } from './cleanup.js';
import type { Disk } from './disk.js';
import { ExitSet } from './exit-set.js';
import { type FileSystem, unlinkIfThere } from './file-system.js';
import { makeDurable, makeDurableNow, makeFolderDurable } from './journal-checkpoint.js';
import type { JournalRecord } from './journal-record.js';
import { type JournalSegment, makeSegment, segmentName } from './journal-segment.js';
import { canonicalPath } from './json-file-lock.js';
import type { Layout } from './layout.js';
import { bootOf, type ProcessIdentity, thisProcess } from './process-identity.js';

export interface JournalOptions {
  readonly fs: FileSystem;
  readonly disk: Disk;
  readonly layout: Pick<Layout, 'root' | 'journal'>;
  readonly owner?: ProcessIdentity;
  /** After so many updates in a row a journal is worth its cost. */
  readonly inARow?: number;
  readonly segmentBytes?: number;
  readonly restAfterMs?: number;
}

/** One update in the journal: it ends with either `settle` or `cancel`. */
export interface JournalEntry {
  /** Resolves to true when the update is durable; false if the journal is of no use any more. */
  readonly sync: () => Promise<boolean>;
  /** The document is what the record says. */
  readonly settle: () => void;
  /** The update will not happen. */
  readonly cancel: () => Promise<void>;
}

const IN_A_ROW = 32;
const ROW_MS = 200;
const SEGMENT_BYTES = 16 * 1024 * 1024;
const SEGMENTS = 2;
const REST_AFTER_MS = 5_000;
/** How long a disk that refused a journal is not asked again. */
const REFUSED_MS = 60_000;

const open = new ExitSet<Journal>((journal) => journal.endNow());

export class Journal {
  readonly #options: Required<JournalOptions>;
  readonly #segments = new Set<JournalSegment>();
  #current: JournalSegment | undefined;
  #free: JournalSegment[] = [];
  #root: string | undefined;
  #inARow = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #preparing: { readonly path: string; readonly done: Promise<void> } | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  /** Work beside the updates, one after the other. */
  #background: Promise<void> = Promise.resolve();

  constructor(options: JournalOptions) {
    this.#options = {
      owner: thisProcess(),
      inARow: IN_A_ROW,
      segmentBytes: SEGMENT_BYTES,
      restAfterMs: REST_AFTER_MS,
      ...options,
    };
  }

  /** Whether updates go through it at present. */
  get isInUse(): boolean {
    return this.#current !== undefined;
  }

  /** Records what `file` is about to become. Undefined if the update has to do without a journal. */
  append(file: string, content: Omit<JournalRecord, 'path'>): JournalEntry | undefined {
    if (this.#isWorthIt()) this.#prepareMore();
    const below = this.#root + sep;
    if (this.#current === undefined || !file.startsWith(below)) return undefined;
    const path = file.slice(below.length).replaceAll(sep, '/');
    try {
      return this.#appendTo(file, { ...content, path });
    } catch {
      this.#abandon();
      return undefined;
    }
  }

  /** Makes everything durable where it is, and removes the files. */
  rest(): Promise<void> {
    this.#background = this.#background.then(async () => {
      await this.#preparing?.done;
      const segments = [...this.#segments];
      this.#current = undefined;
      this.#free = [];
      for (const segment of segments) await this.#checkpoint(segment, () => this.#remove(segment));
    });
    return this.#background;
  }

  /** The same for a process that ends: the present updates are not waited for. */
  endNow(): void {
    const { fs } = this.#options;
    const unfinished = this.#preparing?.path;
    if (unfinished !== undefined) putAway(() => unlinkIfThere(fs, unfinished));
    for (const segment of this.#segments) {
      try {
        makeDurableNow(fs, this.#rootNow(), segment.files);
        this.#remove(segment);
      } catch {
        // It stays, and the next process that opens the store does this.
      }
    }
  }

  #isWorthIt(): boolean {
    const now = performance.now();
    this.#inARow = now - this.#lastAt < ROW_MS ? this.#inARow + 1 : 1;
    this.#lastAt = now;
    return this.#inARow >= this.#options.inARow && now >= this.#notBefore;
  }

  #appendTo(file: string, record: JournalRecord): JournalEntry | undefined {
    const segment = this.#current;
    const at = segment?.append(file, record);
    if (segment !== undefined && at !== undefined) return this.#entryOf(segment, at);
    // A document that would fill half a segment is not one of the many small ones that this is for.
    if (record.content.length > this.#options.segmentBytes / 2) return undefined;
    if (segment !== undefined) this.#retire(segment);
    this.#current = this.#free.pop();
    return this.#current && this.#appendTo(file, record);
  }

  #entryOf(segment: JournalSegment, at: number): JournalEntry {
    const { disk } = this.#options;
    return {
      sync: async () => {
        const isDurable = await segment.sync(disk);
        // Then the update is made durable without a journal, or fails for the same reason.
        if (!isDurable) this.#abandon();
        return isDurable;
      },
      settle: () => segment.settle(),
      cancel: async () => {
        try {
          segment.cancel(at);
          if (!(await segment.sync(disk))) this.#abandon();
        } catch {
          this.#abandon();
        } finally {
          segment.settle();
        }
      },
    };
  }

  #retire(segment: JournalSegment): void {
    this.#background = this.#background.then(() =>
      this.#checkpoint(segment, () => {
        segment.reuse();
        this.#offer(segment);
      }),
    );
  }

  #offer(segment: JournalSegment): void {
    if (this.#current === undefined) this.#current = segment;
    else this.#free.push(segment);
  }

  async #checkpoint(segment: JournalSegment, andThen: () => void): Promise<void> {
    await segment.settled();
    if (!this.#segments.has(segment)) return;
    try {
      await makeDurable(this.#options.fs, this.#rootNow(), [...segment.files]);
    } catch {
      this.#giveUp(Number.POSITIVE_INFINITY);
      this.#forget(segment);
      segment.leave();
      return;
    }
    andThen();
  }

  #abandon(): void {
    this.#giveUp();
    void this.rest();
  }

  #giveUp(forMs = REFUSED_MS): void {
    this.#notBefore = Math.max(this.#notBefore, performance.now() + forMs);
    this.#current = undefined;
    this.#free = [];
  }

  #remove(segment: JournalSegment): void {
    this.#forget(segment);
    segment.remove();
  }

  #forget(segment: JournalSegment): void {
    this.#segments.delete(segment);
    if (this.#segments.size === 0) open.delete(this);
  }

  #prepareMore(): void {
    const { owner } = this.#options;
    const isEnough = this.#segments.size >= SEGMENTS || this.#current?.isHalfEmpty;
    // If a process of an earlier boot cannot be distinguished from a running one, the owner of a journal would be
    // unknown.
    if (this.#preparing || isEnough || bootOf(owner.host) === '' || owner.start === 0) return;
    const folder = this.#folder();
    const path = join(folder, segmentName(owner));
    open.add(this);
    // Never in the middle of an update.
    this.#preparing = { path, done: Promise.resolve().then(() => this.#prepare(folder, path)) };
  }

  async #prepare(folder: string, path: string): Promise<void> {
    const { fs, owner, segmentBytes: size } = this.#options;
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const segment = await makeSegment(fs, { path, owner, size });
      await makeFolderDurable(fs, this.#rootNow(), folder);
      this.#segments.add(segment);
      this.#offer(segment);
      this.#restWhenIdle();
    } catch {
      // Writing reports a full or read-only disk.
      this.#abandon();
    } finally {
      this.#preparing = undefined;
      if (this.#segments.size === 0) open.delete(this);
    }
  }

  #restWhenIdle(): void {
    const { restAfterMs } = this.#options;
    this.#restTimer ??= setTimeout(() => {
      this.#restTimer = undefined;
      if (performance.now() - this.#lastAt < restAfterMs) this.#restWhenIdle();
      else void this.rest();
    }, restAfterMs).unref();
  }

  #folder(): string {
    const { root, journal } = this.#options.layout;
    return join(this.#rootNow(), relative(root, journal));
  }

  #rootNow(): string {
    this.#root ??= canonicalPath(this.#options.fs, this.#options.layout.root);
    return this.#root;
  }
}
