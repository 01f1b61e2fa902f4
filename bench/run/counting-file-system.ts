import { type FileSystem, realFileSystem } from '../../src/storage/files/file-system.js';
import { decodeHead } from '../../src/storage/files/journal-record.js';

/** One replacement of a file that had to be on the disk before its writer went on. */
export interface SyncedWrite {
  readonly path: string;
  readonly bytes: number;
}

export interface CountingFileSystem {
  readonly fs: FileSystem;
  /** The writes since the last call. Renames without a sync are left out. */
  takeWrites(): readonly SyncedWrite[];
  add(write: SyncedWrite): void;
}

/** The real file system, with a list of what was synced and renamed, or is in a journal. */
export function countingFileSystem(): CountingFileSystem {
  const writes: SyncedWrite[] = [];
  /** By inode, which a file keeps when it is renamed. */
  const sizes = new Map<number, number>();
  const noteSync = (fd: number) => {
    const { ino, size } = realFileSystem.fstatSync(fd);
    sizes.set(ino, size);
  };
  const noteRename = (path: string) => {
    const { ino } = realFileSystem.statSync(path);
    const bytes = sizes.get(ino);
    if (sizes.delete(ino) && bytes !== undefined) writes.push({ path, bytes });
  };
  const fs: FileSystem = {
    ...realFileSystem,
    writeSync: Object.assign((fd: number, ...rest: readonly unknown[]): number => {
      const [bytes] = rest;
      const record = Buffer.isBuffer(bytes) ? decodeHead(bytes) : undefined;
      if (record) writes.push({ path: record.path, bytes: record.end - record.start });
      return Reflect.apply(realFileSystem.writeSync, realFileSystem, [fd, ...rest]);
    }),
    fdatasyncSync(fd) {
      noteSync(fd);
      realFileSystem.fdatasyncSync(fd);
    },
    fdatasync: Object.assign(
      (fd: number, done: (error: NodeJS.ErrnoException | null) => void) => {
        noteSync(fd);
        realFileSystem.fdatasync(fd, done);
      },
      { __promisify__: realFileSystem.fdatasync.__promisify__ },
    ),
    renameSync(from, to) {
      realFileSystem.renameSync(from, to);
      noteRename(String(to));
    },
  };
  return { fs, takeWrites: () => writes.splice(0), add: (write) => writes.push(write) };
}
