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
 *   - The journal begins anew, or is removed, when the documents it names were synced in place (a checkpoint). Updates go
 *     without it meanwhile.
 *   - A sync that failed is not tried again: the disk may report the same bytes as done without having written them. If
 *     the journal's own sync fails, no record that was written before is acknowledged; if that of a checkpoint fails,
 *     the file stays for the next process that opens the store, and this process does without a journal from then on.
 *   - A process that is idle, or ends, leaves no journal: one on the disk belongs to a process that is busy or died.
 */

import { join, relative, sep } from 'node:path';
import type { Disk } from './disk.js';
import { ExitSet } from './exit-set.js';
import type { FileSystem } from './file-system.js';
import { makeDurable, makeDurableNow } from './journal-checkpoint.js';
import { type JournalFile, journalName, makeJournalFile } from './journal-file.js';
import type { JournalRecord } from './journal-record.js';
import { canonicalPath } from './json-file-lock.js';
import type { Layout } from './layout.js';
import { makeInside } from './make-inside.js';
import { bootOf, type ProcessIdentity, thisProcess } from './process-identity.js';

export interface JournalOptions {
  readonly fs: FileSystem;
  readonly disk: Disk;
  readonly layout: Pick<Layout, 'root' | 'journal'>;
  readonly owner?: ProcessIdentity;
  /** After so many updates in a row a journal is worth its cost. */
  readonly inARow?: number;
  readonly bytes?: number;
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
const BYTES = 16 * 1024 * 1024;
const REST_AFTER_MS = 5_000;
/** How long a disk that refused a journal is not asked again. */
const REFUSED_MS = 60_000;

const journals = new ExitSet<Journal>((journal) => journal.endNow());

export class Journal {
  readonly #options: Required<JournalOptions>;
  #file: JournalFile | undefined;
  /** Whether updates go through it at present. */
  #isInUse = false;
  #root: string | undefined;
  #inARow = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #making: Promise<void> | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  /** Checkpoints, one after the other. */
  #checkpoints: Promise<void> = Promise.resolve();

  constructor(options: JournalOptions) {
    this.#options = {
      owner: thisProcess(),
      inARow: IN_A_ROW,
      bytes: BYTES,
      restAfterMs: REST_AFTER_MS,
      ...options,
    };
  }

  get isInUse(): boolean {
    return this.#isInUse;
  }

  /** Records what `file` is about to become. Undefined if the update has to do without a journal. */
  append(file: string, content: Omit<JournalRecord, 'path'>): JournalEntry | undefined {
    this.#count();
    const journal = this.#file;
    const below = this.#root + sep;
    if (!this.#isInUse || journal === undefined || !file.startsWith(below)) return undefined;
    const path = file.slice(below.length).replaceAll(sep, '/');
    try {
      const at = journal.append(file, { ...content, path });
      if (at !== undefined) return this.#entryOf(journal, at);
      // A document that would fill half of it is not one of the many small ones that this is for.
      if (content.content.length <= this.#options.bytes / 2) void this.#checkpoint('begin anew');
    } catch {
      this.#abandon();
    }
    return undefined;
  }

  /** Makes everything durable where it is, and removes the file. */
  rest(): Promise<void> {
    return this.#checkpoint('end');
  }

  /** The same for a process that ends: the present updates are not waited for. */
  endNow(): void {
    if (this.#file === undefined) return;
    try {
      makeDurableNow(this.#options.fs, this.#rootNow(), this.#file.documents);
      this.#remove(this.#file);
    } catch {
      // It stays, and the next process that opens the store does this.
    }
  }

  /** Makes a journal when there are enough updates in a row. */
  #count(): void {
    const { owner, inARow } = this.#options;
    const now = performance.now();
    this.#inARow = now - this.#lastAt < ROW_MS ? this.#inARow + 1 : 1;
    this.#lastAt = now;
    if (this.#inARow < inARow || now < this.#notBefore || this.#file || this.#making) return;
    // If a process of an earlier boot cannot be distinguished from a running one, the owner of a journal would be
    // unknown.
    if (bootOf(owner.host) === '' || owner.start === 0) return;
    // Never in the middle of an update.
    this.#making = Promise.resolve().then(() => this.#make());
  }

  async #make(): Promise<void> {
    const { fs, owner, bytes, layout } = this.#options;
    try {
      const folder = join(this.#rootNow(), relative(layout.root, layout.journal));
      makeInside(fs, this.#rootNow(), folder);
      const file = await makeJournalFile(fs, { path: join(folder, journalName(owner)), owner, bytes });
      journals.add(this);
      this.#file = file;
      await makeDurable(fs, this.#rootNow(), [file.path]);
      this.#isInUse = true;
      this.#restWhenIdle();
    } catch {
      // Writing reports a full or read-only disk.
      this.#abandon();
    } finally {
      this.#making = undefined;
    }
  }

  #entryOf(journal: JournalFile, at: number): JournalEntry {
    const { disk } = this.#options;
    return {
      sync: async () => {
        const isDurable = await journal.sync(disk);
        // Then the update is made durable without a journal, or fails for the same reason.
        if (!isDurable) this.#abandon();
        return isDurable;
      },
      settle: () => journal.settle(),
      cancel: async () => {
        try {
          journal.cancel(at);
          if (!(await journal.sync(disk))) this.#abandon();
        } catch {
          this.#abandon();
        } finally {
          journal.settle();
        }
      },
    };
  }

  #checkpoint(then: 'begin anew' | 'end'): Promise<void> {
    this.#isInUse = false;
    this.#checkpoints = this.#checkpoints.then(async () => {
      await this.#making;
      const file = this.#file;
      if (file === undefined) return;
      this.#isInUse = false;
      await file.settled();
      try {
        await makeDurable(this.#options.fs, this.#rootNow(), [...file.documents]);
      } catch {
        // It stays for the next process that opens the store.
        this.#doWithout(Number.POSITIVE_INFINITY);
        this.#forget();
        file.leave();
        return;
      }
      if (this.#file !== file) return;
      if (then === 'end') return this.#remove(file);
      file.beginAnew();
      this.#isInUse = performance.now() >= this.#notBefore;
    });
    return this.#checkpoints;
  }

  #abandon(): void {
    this.#doWithout(REFUSED_MS);
    void this.rest();
  }

  #doWithout(forMs: number): void {
    this.#notBefore = Math.max(this.#notBefore, performance.now() + forMs);
  }

  #remove(file: JournalFile): void {
    this.#forget();
    file.remove();
  }

  #forget(): void {
    this.#file = undefined;
    journals.delete(this);
  }

  #restWhenIdle(): void {
    const { restAfterMs } = this.#options;
    this.#restTimer ??= setTimeout(() => {
      this.#restTimer = undefined;
      if (performance.now() - this.#lastAt < restAfterMs) this.#restWhenIdle();
      else void this.rest();
    }, restAfterMs).unref();
  }

  #rootNow(): string {
    this.#root ??= canonicalPath(this.#options.fs, this.#options.layout.root);
    return this.#root;
  }
}
