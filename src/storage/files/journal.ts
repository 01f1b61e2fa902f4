/*
 * Makes many updates durable at little cost: one sync of an existing file, instead of one of a new file and one of its
 * folder. Only a process that writes all the time has a journal; everything works without.
 *
 *   lock -> scratch file -> record of it to the journal, fdatasync -> is the lock still mine? -> rename -> release
 *   -> acknowledge
 *
 * What must hold:
 *   - A document that was renamed into place is durable by itself or in a journal that is still there. So a power cut
 *     may leave a name without its content, and the journal puts it back (journal-recovery.ts).
 *   - A document's modification time grows with each update, in any process: it tells which of two is later. A file
 *     system that keeps a new name keeps what was set on the file before it got the name.
 *   - A record is made void before the caller is told that its update failed.
 *   - When the journal is full, it is emptied; when its process rests or ends, or the disk refuses, it is removed. Before
 *     that, the documents it names are synced in place. Updates go without it meanwhile.
 *   - A sync that failed is not tried again: the disk may report the same bytes as done without having written them. If
 *     the journal's own sync fails, no record that was written before is acknowledged. If the sync of a document fails,
 *     the journal stays for the next process that opens the store, and this process does without one from then on.
 *   - A process that is idle, or ends, leaves no journal: one on the disk belongs to a process that is busy or died.
 */

import { join, relative, sep } from 'node:path';
import type { Disk } from './disk.js';
import type { FileSystem } from './file-system.js';
import { JournalFile } from './journal-file.js';
import type { JournalRecord } from './journal-record.js';
import type { Layout } from './layout.js';
import { canonicalPath } from './lock.js';
import { bootOf, type ProcessIdentity, thisProcess } from './process-identity.js';

export interface JournalOptions {
  readonly fs: FileSystem;
  readonly disk: Disk;
  readonly layout: Pick<Layout, 'root' | 'journal'>;
  readonly owner?: ProcessIdentity;
  /** After so many updates in a row a journal is worth its cost. */
  readonly inARow?: number | undefined;
  readonly bytes?: number;
  readonly restAfterMs?: number;
}

const IN_A_ROW = 32;
const ROW_MS = 200;
const BYTES = 16 * 1024 * 1024;
const REST_AFTER_MS = 5_000;
/** How long a disk that refused a journal is not asked again. */
const REFUSED_MS = 60_000;

export class Journal {
  #file: JournalFile | undefined;
  /** The making, the emptying or the ending of a file, while it is under way. */
  #work: Promise<void> | undefined;
  #inARow = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #restTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: JournalOptions) {}

  /**
   * Makes the new content of `file` durable, then puts it in place. False if nothing was done: then the update has to do
   * without a journal.
   */
  async commit(file: string, record: Omit<JournalRecord, 'path'>, putInPlace: () => void): Promise<boolean> {
    this.#count();
    const { bytes = BYTES } = this.options;
    const journal = this.#work === undefined ? this.#file : undefined;
    // A document that would fill half of it is not one of the many small ones that this is for.
    if (!journal || !file.startsWith(journal.root + sep) || record.content.length > bytes / 2) return false;
    try {
      const isDone = await journal.commit(file, record, putInPlace);
      // Of several updates that find no room, the first one has it emptied.
      if (isDone === undefined && this.#work === undefined) this.#begin(this.#finish(journal, 'empty'));
      return isDone ?? false;
    } finally {
      if (!journal.isTrusted) {
        this.#doWithout(REFUSED_MS);
        void this.rest();
      }
    }
  }

  /** Makes everything durable where it is, and removes the file. */
  async rest(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
    if (this.#file !== undefined) this.#begin(this.#finish(this.#file, 'end'));
    await this.#work;
  }

  /** Makes a journal when there are enough updates in a row. */
  #count(): void {
    const { owner = thisProcess(), inARow = IN_A_ROW } = this.options;
    const now = performance.now();
    this.#inARow = now - this.#lastAt < ROW_MS ? this.#inARow + 1 : 1;
    this.#lastAt = now;
    if (this.#inARow < inARow || now < this.#notBefore || this.#file || this.#work) return;
    // If a process of an earlier boot cannot be distinguished from a running one, the owner of a journal would be
    // unknown.
    if (bootOf(owner.host) === '' || owner.start === 0) return;
    // Never in the middle of an update.
    this.#begin(Promise.resolve().then(() => this.#make(owner)));
  }

  #begin(work: Promise<void>): void {
    this.#work = work.finally(() => {
      this.#work = undefined;
    });
  }

  async #make(owner: ProcessIdentity): Promise<void> {
    const { fs, disk, bytes = BYTES, layout } = this.options;
    try {
      const root = canonicalPath(fs, layout.root);
      const folder = join(root, relative(layout.root, layout.journal));
      this.#file = await JournalFile.make(fs, disk, { root, folder, owner, bytes });
      this.#restWhenIdle();
    } catch {
      // Writing reports a full or read-only disk.
      this.#doWithout(REFUSED_MS);
    }
  }

  /** A file that cannot be emptied stays for the next process that opens the store. */
  async #finish(file: JournalFile, how: 'empty' | 'end'): Promise<void> {
    if (how === 'end') this.#file = undefined;
    if (await file[how]()) return;
    this.#file = undefined;
    this.#doWithout(Number.POSITIVE_INFINITY);
  }

  #doWithout(forMs: number): void {
    this.#notBefore = Math.max(this.#notBefore, performance.now() + forMs);
  }

  #restWhenIdle(): void {
    const { restAfterMs = REST_AFTER_MS } = this.options;
    this.#restTimer ??= setTimeout(() => {
      this.#restTimer = undefined;
      if (performance.now() - this.#lastAt < restAfterMs) this.#restWhenIdle();
      else void this.rest();
    }, restAfterMs).unref();
  }
}
