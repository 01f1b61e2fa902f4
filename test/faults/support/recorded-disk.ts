import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type FileSystem, realFileSystem } from '../../../src/storage/files/file-system.js';

/*
 * A file system that remembers every change and every sync, and can show what a power cut after any of them may leave:
 *
 *   content   what was synced, and of each write since then all, nothing, its beginning, or zeros in its place
 *   names     in a folder, each as it was at the folder's last sync or at any time since
 *   times     those that were set before the file got the name under which it is found; later ones by chance
 *
 * Syncs are recorded and not carried out: the real disk has no part in this.
 */

interface Stored {
  readonly writes: { readonly index: number; readonly at: number; readonly bytes: Buffer | 'truncate' }[];
  readonly dates: { readonly index: number; readonly mtimeMs: number }[];
  /** Each sync with the number of changes that came before it began, and when it was done. */
  readonly syncs: Sync[];
}

interface Sync {
  readonly covers: number;
  readonly index: number;
}

type Named = Stored | 'folder' | undefined;

export interface RecordedDisk {
  readonly fs: FileSystem;
  /** How many changes there were. */
  readonly length: () => number;
  /** Writes to another folder what may be left after the first `length` changes. */
  readonly leaveAt: (length: number, random: () => number, target: string) => void;
}

type Call = (...args: unknown[]) => unknown;

/** `forgets` names files whose syncs do nothing: it checks that the tests notice. */
export function recordedDisk(root: string, forgets: (path: string) => boolean = () => false): RecordedDisk {
  let index = 0;
  const names = new Map<string, { readonly index: number; readonly value: Named }[]>();
  const folderSyncs = new Map<string, Sync[]>();
  const open = new Map<number, { readonly path: string; readonly file: Stored | undefined }>();

  const now = (path: string): Named => names.get(path)?.at(-1)?.value;
  const name = (path: string, value: Named): void => {
    names.set(path, [...(names.get(path) ?? []), { index: index++, value }]);
  };
  const date = (fd: number): void => {
    open.get(fd)?.file?.dates.push({ index: index++, mtimeMs: realFileSystem.fstatSync(fd).mtimeMs });
  };
  const opened = (fd: number, path: string, flags: string): number => {
    const content = now(path);
    const isNew = content === undefined && !flags.startsWith('r');
    const file: Stored | undefined = isNew ? { writes: [], dates: [], syncs: [] } : asFile(content);
    open.set(fd, { path, file });
    if (isNew) name(path, file);
    if (isNew) date(fd);
    if (!isNew && flags.startsWith('w')) file?.writes.push({ index: index++, at: 0, bytes: 'truncate' });
    return fd;
  };
  const wrote = (fd: number, bytes: Buffer, at: number): void => {
    // The writer may reuse the memory at once.
    open.get(fd)?.file?.writes.push({ index: index++, at, bytes: Buffer.from(bytes) });
    date(fd);
  };
  const renamed = (from: string, to: string): void => {
    const value = now(from);
    name(to, value);
    name(from, undefined);
  };
  const synced = (fd: number, covers: number): void => {
    const { path, file } = open.get(fd) ?? { path: '', file: undefined };
    if (forgets(path)) return;
    const sync = { covers, index: index++ };
    if (file) file.syncs.push(sync);
    else folderSyncs.set(path, [...(folderSyncs.get(path) ?? []), sync]);
  };

  const calls: Record<string, (original: Call, args: unknown[]) => unknown> = {
    openSync: (original, args) => opened(Number(original(...args)), String(args[0]), String(args[1])),
    open: (_original, args) => {
      const done = callback(args);
      realFileSystem.open(String(args[0]), String(args[1]), Number(args[2]), (error, fd) => {
        if (!error) opened(fd, String(args[0]), String(args[1]));
        done(error, fd);
      });
    },
    writeSync: (original, args) => {
      const { fd, bytes, at } = writeOf(args, (path) => sizeOf(asFile(now(path))), open);
      const written = Number(original(...args));
      wrote(fd, bytes.subarray(0, written), at);
      return written;
    },
    write: (_original, args) => {
      const done = callback(args);
      const { fd, bytes, at } = writeOf(args, () => 0, open);
      realFileSystem.write(fd, bytes, 0, bytes.length, at, (error, written) => {
        if (!error) wrote(fd, bytes.subarray(0, written), at);
        done(error, written);
      });
    },
    futimesSync: (original, args) => {
      original(...args);
      date(Number(args[0]));
    },
    linkSync: (original, args) => {
      original(...args);
      name(String(args[1]), now(String(args[0])));
    },
    unlinkSync: (original, args) => {
      original(...args);
      name(String(args[0]), undefined);
    },
    renameSync: (original, args) => {
      original(...args);
      renamed(String(args[0]), String(args[1]));
    },
    mkdirSync: (original, args) => {
      const made = original(...args);
      for (let path = String(args[0]); path !== root && now(path) === undefined; path = dirname(path))
        name(path, 'folder');
      return made;
    },
    fdatasyncSync: (_original, args) => synced(Number(args[0]), index),
    fsyncSync: (_original, args) => synced(Number(args[0]), index),
    fdatasync: syncLater,
    fsync: syncLater,
  };
  function syncLater(_original: Call, args: unknown[]): void {
    const covers = index;
    setImmediate(() => {
      synced(Number(args[0]), covers);
      callback(args)(null);
    });
  }

  const fs = new Proxy<FileSystem>(
    { ...realFileSystem },
    {
      get(target, key) {
        const original = Reflect.get(target, key);
        const call = calls[String(key)];
        return call === undefined
          ? original
          : (...args: unknown[]) => call((...actual) => Reflect.apply(original, target, actual), args);
      },
    },
  );

  const leaveAt = (length: number, random: () => number, target: string): void => {
    const folders = new Set([root]);
    mkdirSync(target, { recursive: true });
    for (const path of [...names.keys()].sort((left, right) => left.length - right.length)) {
      if (!folders.has(dirname(path))) continue;
      const history = (names.get(path) ?? []).filter((entry) => entry.index < length);
      const durable = coveredBy(folderSyncs.get(dirname(path)) ?? [], length);
      const certain = history.findLastIndex((entry) => entry.index < durable);
      const choices = [history[certain], ...history.slice(certain + 1)];
      const chosen = choices[Math.floor(random() * choices.length)];
      if (chosen?.value === undefined) continue;
      const place = join(target, relative(root, path));
      if (chosen.value === 'folder') {
        mkdirSync(place);
        folders.add(path);
      } else leaveFile(place, chosen.value, { length, named: chosen.index, random });
    }
  };
  return { fs, length: () => index, leaveAt };
}

function leaveFile(
  place: string,
  { writes, dates, syncs }: Stored,
  { length, named, random }: { length: number; named: number; random: () => number },
): void {
  const durable = coveredBy(syncs, length);
  let content: Buffer = Buffer.alloc(0);
  for (const { index, at, bytes } of writes) {
    if (index >= length) break;
    const luck = index < durable ? 0 : random();
    if (bytes === 'truncate') content = luck < 0.5 ? Buffer.alloc(0) : content;
    else if (luck < 0.4) content = written(content, at, bytes);
    else if (luck < 0.6) content = written(content, at, bytes.subarray(0, Math.floor(random() * bytes.length)));
    else if (luck < 0.8) content = written(content, at, Buffer.alloc(bytes.length));
  }
  writeFileSync(place, content, { mode: 0o600 });
  const set = dates.filter(({ index }) => index < length);
  const first = Math.max(
    0,
    set.findLastIndex(({ index }) => index < named),
  );
  const { mtimeMs } = set[first + Math.floor(random() * (set.length - first))] ?? { mtimeMs: Date.now() };
  utimesSync(place, mtimeMs / 1000, (mtimeMs + 0.0005) / 1000);
}

function written(content: Buffer, at: number, bytes: Buffer): Buffer {
  const next = Buffer.alloc(Math.max(content.length, at + bytes.length));
  content.copy(next);
  bytes.copy(next, at);
  return next;
}

/** Everything before this is on the disk. */
function coveredBy(syncs: readonly Sync[], length: number): number {
  return Math.max(0, ...syncs.filter(({ index }) => index < length).map(({ covers }) => covers));
}

const asFile = (value: Named): Stored | undefined => (value === 'folder' ? undefined : value);

/** The size of a file of which nothing was lost. */
function sizeOf(file: Stored | undefined): number {
  return (file?.writes ?? []).reduce(
    (size, { at, bytes }) => (bytes === 'truncate' ? 0 : Math.max(size, at + bytes.length)),
    0,
  );
}

/** The forms of `write` that this room uses: a text at a place, bytes from an offset on, bytes at a place. */
function writeOf(
  [fd, data, offset, length, position]: unknown[],
  endOf: (path: string) => number,
  open: ReadonlyMap<number, { readonly path: string }>,
): { fd: number; bytes: Buffer; at: number } {
  const path = open.get(Number(fd))?.path ?? '';
  if (typeof data === 'string') return { fd: Number(fd), bytes: Buffer.from(data), at: Number(offset ?? endOf(path)) };
  const all = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
  const from = Number(offset ?? 0);
  const bytes = Buffer.from(all.subarray(from, typeof length === 'number' ? from + length : undefined));
  return { fd: Number(fd), bytes, at: typeof position === 'number' ? position : endOf(path) };
}

function callback(args: readonly unknown[]): (error: Error | null, value?: unknown) => void {
  const last = args.at(-1);
  return (error, value) => {
    if (typeof last === 'function') last(error, value);
  };
}
