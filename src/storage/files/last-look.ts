/*
 * When looking at every file of a folder can be spared.
 *
 * What was seen at the last look at all files still holds if neither the folder nor the log of changes says otherwise.
 * Whoever replaces, adds, removes or locks a file changes the folder's own times, and our processes say in the log which
 * file it was, before they acknowledge a change:
 *
 *   the folder is as it was, nothing is logged     nothing has changed
 *   something is logged                            those files are looked at, and no others
 *   the folder has changed, nothing is logged      somebody else has written, or one of ours has died: all are looked at
 *   the log was begun anew                         all are looked at
 *
 * Two things escape this: an edit in place that takes no lock, and another program's change among our own. Therefore a
 * look holds for a second, and one that a process left for the next, while nothing at all happens, for ten. Whoever can do
 * with less looks again when a thousand times as long has passed as the look took, after ten seconds at the latest.
 *
 * A folder that changed in the moment before it was looked at proves nothing later on: the clock of a file system moves in
 * steps, and a second change within the same step would look like none. Such a look is not left for others.
 */
import * as z from 'zod/mini';
import type { ChangeLog, Mark } from './change-log.js';
import { CLOCK_STEP_MS, type FileSystem, readIfThere } from './file-system.js';
import { writeWhole } from './write-whole.js';

const OWN_MS = 1_000;
const LEFT_MS = 10_000;
const QUICK = { times: 1_000, mostMs: 10_000 };

export interface Look {
  /** When it began. */
  readonly at: number;
  readonly holdsMs: number;
  readonly folder: string;
  readonly isSettled: boolean;
  readonly mark: Mark;
  /** How long it took, where this process looked itself. */
  readonly tookMs?: number;
}

/** What one process leaves for the next: a look, the index that it is about, and the files that this is wrong about. */
const LeftLook = z.object({
  at: z.number(),
  folder: z.string(),
  mark: z.object({ file: z.string(), size: z.number() }),
  index: z.string(),
  names: z.array(z.string()),
});
type LeftLook = z.infer<typeof LeftLook>;

export interface LastLookOptions {
  readonly fs: FileSystem;
  readonly folder: string;
  readonly changes: ChangeLog;
  /** Where it is left for the next process. */
  readonly file: string;
  readonly now?: (() => number) | undefined;
}

export class LastLook {
  #look: Look | undefined;
  readonly #now: () => number;

  constructor(private readonly options: LastLookOptions) {
    this.#now = options.now ?? Date.now;
  }

  /** To be called before the first file is looked at, so that a change during the look is looked at again. */
  begin(): Look | undefined {
    const mark = this.options.changes.mark();
    const folder = this.#statFolder();
    if (mark === undefined || folder === undefined) return undefined;
    const isSettled = Math.max(folder.mtimeMs, folder.ctimeMs) < Date.now() - CLOCK_STEP_MS;
    return { at: this.#now(), holdsMs: OWN_MS, folder: printOf(folder), isSettled, mark };
  }

  remember(look: Look | undefined): void {
    this.#look = look && { ...look, tookMs: this.#now() - look.at };
  }

  /** The names of the files that may have changed since; undefined if it may be any. */
  changed({ isQuick = false } = {}): readonly string[] | undefined {
    const look = this.#look;
    const age = this.#now() - (look?.at ?? 0);
    const ownMs = isQuick ? quickMs(look) : OWN_MS;
    // A clock that was set back proves nothing.
    if (look === undefined || age < 0 || age > Math.max(look.holdsMs, ownMs)) return undefined;
    const folder = this.#statFolder();
    const told = folder && this.options.changes.since(look.mark);
    if (folder === undefined || told === undefined) return undefined;
    if (told.names.length === 0) return printOf(folder) === look.folder ? [] : undefined;
    if (age > ownMs) return undefined;
    this.#look = { ...look, holdsMs: OWN_MS, folder: printOf(folder), mark: told.mark };
    return told.names;
  }

  /** `index` is the token of the index that shows what was seen, but for the files of these names. */
  leave(index: string, names: Iterable<string>): void {
    const look = this.#look;
    if (look === undefined || !look.isSettled) return;
    const { at, folder, mark } = look;
    const left: LeftLook = { at, folder, mark: { ...mark }, index, names: [...names] };
    writeWhole(this.options.fs, this.options.file, JSON.stringify(left), 0o600);
  }

  /** Goes on from what was left, if it is about this index; gives the names of the files that the index is wrong about. */
  find(index: string): readonly string[] | undefined {
    const left = this.#readLeft();
    if (left?.index !== index) return undefined;
    const { at, folder, mark, names } = left;
    this.#look = { at, holdsMs: LEFT_MS, folder, isSettled: true, mark };
    return names;
  }

  /** Missing or damaged: it is derived, so it is simply made anew. */
  #readLeft(): LeftLook | undefined {
    try {
      const text = readIfThere(this.options.fs, this.options.file)?.toString('utf8');
      return text === undefined ? undefined : z.parse(LeftLook, JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  #statFolder() {
    return this.options.fs.statSync(this.options.folder, { throwIfNoEntry: false });
  }
}

function quickMs({ tookMs = 0 }: Partial<Look> = {}): number {
  return Math.min(Math.max(QUICK.times * tookMs, OWN_MS), QUICK.mostMs);
}

/** Tells one state of the folder from another. */
function printOf({ ino, mtimeMs, ctimeMs }: { ino: number; mtimeMs: number; ctimeMs: number }): string {
  return `${ino} ${mtimeMs} ${ctimeMs}`;
}
